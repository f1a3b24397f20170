// What somebody pasted, as a link: a share text with a link inside, a bare host without a scheme,
// or a link. Which platform it belongs to is decided by its host alone, and never by asking it.
import { chineseLinks } from './chinese-links.ts';
import type { Link, LinkRules } from './link.ts';
import { worldLinks } from './world-links.ts';

const allRules: readonly LinkRules[] = [...chineseLinks, ...worldLinks];

/** The first link of a text that belongs to one of the eleven platforms; null: there is none. */
export function readLink(text: string): Link | null {
  for (const url of linksIn(text)) {
    const link = readUrl(url);
    if (link !== null) return link;
  }
  return null;
}

/** null: no host of the eleven platforms. */
export function readUrl(url: URL): Link | null {
  const host = url.hostname.replace(/^(?:www|m|mobile|h5|web)\./, '').replace(/\.$/, '');
  const plain = url.hostname.replace(/^www\./, '');
  const isPlain = url.username === '' && url.password === '' && /^(?:80|443|)$/.test(url.port);
  if (!isPlain) return null;
  for (const rules of allRules) {
    const { platform } = rules;
    if (rules.shortHosts.some((short) => isHost(plain, short))) {
      const ref = rules.read(url);
      if (ref !== null) return { kind: 'post', ref };
      return url.pathname.length > 1
        ? { kind: 'short', platform, url: url.href }
        : { kind: 'other', platform };
    }
    if (!rules.hosts.some((known) => isHost(host, known))) continue;
    const ref = rules.read(url);
    if (ref !== null) return { kind: 'post', ref };
    return rules.isShortPath?.(url)
      ? { kind: 'short', platform, url: url.href }
      : { kind: 'other', platform };
  }
  return null;
}

function isHost(host: string, known: string): boolean {
  return host === known || host.endsWith(`.${known}`);
}

/** What begins a link in a text: a scheme, or a host with a path behind it. */
const beginning = /(?:https?:\/\/|(?<![\w@./-])(?=(?:[a-z0-9-]+\.)+[a-z]{2,}\/))/;
/** Chinese letters and punctuation, quotation marks and brackets end it. */
const middle = /[^\s"'<>()\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+/;
const inText = new RegExp(beginning.source + middle.source, 'giu');

function linksIn(text: string): URL[] {
  const whole = /^\S+$/.test(text.trim()) ? [text.trim()] : [];
  const found = [...whole, ...[...text.matchAll(inText)].map(([link]) => link)];
  return found.flatMap((link) => {
    const trimmed = link.replace(/[.,;:!?…]+$/u, '');
    const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
    return url?.hostname.includes('.') ? [url] : [];
  });
}
