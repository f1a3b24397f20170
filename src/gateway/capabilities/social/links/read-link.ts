// Parses pasted text into a link: a share text that contains a link, a host without a scheme, or a
// URL. The host alone determines the platform; no request is sent.
import type { PlatformId } from '../platforms.ts';
import { chineseLinks } from './chinese-links.ts';
import type { Link, LinkRules, PostRef } from './link.ts';
import { worldLinks } from './world-links.ts';

const allRules: readonly LinkRules[] = [...chineseLinks, ...worldLinks];

/**
 * The most relevant link of a text: links of `platform` come first, and posts before profiles.
 * null: there is no link of the eleven platforms.
 */
export function readLink(text: string, platform?: PlatformId): Link | null {
  const links = linksIn(text).flatMap((url) => readUrl(url) ?? []);
  const platformLinks = links.filter((link) => platformOfLink(link) === platform);
  const isPostOrShort = (link: Link) => link.kind !== 'other';
  const platformLink = platformLinks.find(isPostOrShort) ?? platformLinks[0];
  return platformLink ?? links.find(isPostOrShort) ?? links[0] ?? null;
}

export function platformOfLink(link: Link): PlatformId {
  return link.kind === 'post' ? link.ref.platform : link.platform;
}

/** Null: the host belongs to none of the eleven platforms. */
export function readUrl(source: URL): Link | null {
  const isPlain =
    source.username === '' && source.password === '' && /^(?:80|443|)$/.test(source.port);
  if (!isPlain) return null;
  const url = normalizeUrl(source);
  for (const rules of allRules) {
    const { platform } = rules;
    if (rules.shortHosts.some((shortHost) => isHost(url.hostname, shortHost))) {
      const ref = rules.read(url);
      if (ref !== null) return { kind: 'post', ref };
      return url.pathname.length > 1
        ? { kind: 'short', platform, url: source.href }
        : { kind: 'other', platform };
    }
    if (!belongsTo(rules, url)) continue;
    const ref = rules.read(url) ?? readInside(rules, url);
    if (ref !== null) return { kind: 'post', ref };
    return rules.isShortPath?.(url)
      ? { kind: 'short', platform, url: source.href }
      : { kind: 'other', platform };
  }
  return null;
}

/** Normalizes a URL for the rules. */
function normalizeUrl(source: URL): URL {
  const url = new URL(source.href);
  url.hostname = url.hostname.replace(/\.$/, '').replace(/^www\./, '');
  url.pathname = url.pathname.replaceAll('%40', '@').replace(/\/{2,}/g, '/');
  return url;
}

/**
 * Intermediate pages (sign-in, consent, "you are leaving") contain the post's URL in a parameter.
 */
function readInside(rules: LinkRules, url: URL): PostRef | null {
  const inHash = /^#!?(\/.*)$/.exec(url.hash)?.[1];
  for (const text of [inHash ?? '', ...url.searchParams.values()]) {
    const innerUrl = /^(?:https?:\/)?\//i.test(text) ? URL.parse(text, url.origin) : null;
    if (innerUrl === null) continue;
    const normalizedUrl = normalizeUrl(innerUrl);
    const ref = belongsTo(rules, normalizedUrl) ? rules.read(normalizedUrl) : null;
    if (ref !== null) return ref;
  }
  return null;
}

function belongsTo({ hosts, exactHosts = [] }: LinkRules, { hostname }: URL): boolean {
  const host = hostname.replace(/^(?:m|mobile|h5|web)\./, '');
  return exactHosts.includes(host) || hosts.some((domain) => isHost(host, domain));
}

function isHost(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The beginning of a link in a text: a scheme, or a host with a path. */
const linkStart = /(?:https?:\/\/|(?<![\w@./-])(?=(?:[a-z0-9-]+\.)+[a-z]{2,}\/))/;
/** Letters and signs beyond ASCII, quotation marks and brackets end a link. */
const linkRest = /[!#-&*-;=?-Z_a-z|~]+/;
const linkInText = new RegExp(linkStart.source + linkRest.source, 'gi');

/** Links in the text: first the matches of `linkInText`, then whole words that are links. */
function linksIn(input: string): URL[] {
  // Decodes text that was copied from a page's source.
  const text = input.replaceAll('&amp;', '&').trim();
  const urlWords = text.split(/\s+/).filter((word) => word === text || /^https?:/i.test(word));
  const parts = [...text.matchAll(linkInText)].map(([link]) => link);
  return [...parts, ...urlWords].flatMap((link) => {
    const trimmed = link.replace(/[.,;:!?*|~…]+$/u, '');
    const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
    return url?.hostname.includes('.') ? [url] : [];
  });
}
