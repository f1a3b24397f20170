// Addresses that connect items: an item's own address, and its links to other sites. Links to front
// pages and to share or follow buttons are excluded, because every article has them.
import { readTokens } from '../../../kernel/text/markup.ts';
import { resolveEntities } from '../../../kernel/text/text.ts';
import { absoluteUrl, canonicalUrl } from '../../../kernel/url/url.ts';

const LINKS_MAX = 12;
const sharers = new Set(
  (
    'facebook.com linkedin.com reddit.com pinterest.com tumblr.com whatsapp.com t.me wa.me ' +
    'telegram.me'
  ).split(' '),
);
const boilerplate =
  /\/(?:share|intent|sharer|subscribe|newsletter|privacy|terms|about|contact)(?:[/?.]|$)/;

/** Canonical addresses; the item's own address comes first. */
export function outboundLinks(ownCanonicalUrl: string, html: string): readonly string[] {
  const ownUrl = canonicalUrl(ownCanonicalUrl);
  const links = new Set<string>(ownUrl === null ? [] : [ownUrl]);
  if (!html.includes('<')) return [...links];
  const ownHost = hostOf(ownUrl);
  for (const token of readTokens(html)) {
    if (links.size >= LINKS_MAX) break;
    if (token.kind !== 'open' || token.name.toLowerCase() !== 'a') continue;
    const href = token.attributes.find(([name]) => name.toLowerCase() === 'href')?.[1] ?? '';
    const absolute = absoluteUrl(resolveEntities(href), ownCanonicalUrl);
    const link = absolute === null ? null : canonicalUrl(absolute);
    if (link !== null && hostOf(link) !== ownHost && isDocumentLink(link)) links.add(link);
  }
  return [...links];
}

const hostOf = (url: string | null) => (url === null ? '' : new URL(url).host);

function isDocumentLink(link: string): boolean {
  const { host, pathname, search } = new URL(link);
  const isFrontPage = pathname.length <= 1 && search === '';
  return !isFrontPage && !sharers.has(host) && !boilerplate.test(pathname);
}
