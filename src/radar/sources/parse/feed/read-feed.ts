// Parses one feed document of any format and encoding, tolerating errors. The bytes decide the
// format; the content type only suggests the encoding. Never throws; time is bounded.

import { readTokens } from '../../../../kernel/text/markup.ts';
import { resolveEntities } from '../../../../kernel/text/text.ts';
import { type FetchWarning, fetchWarning } from '../../fetch/fetch-warning.ts';
import { decodeText } from '../decode-text.ts';
import type { ParsedFeed } from '../entry.ts';
import { mendJson } from './mend-json.ts';
import { parseXml } from './parse-xml.ts';
import { readJsonFeed } from './read-json-feed.ts';
import { readXmlFeed } from './read-xml-feed.ts';
import { resolveLink } from './resolve-link.ts';

export type FeedLocation = {
  /** The document's address after redirects, the base of relative links. */
  readonly url: string | null;
  /** The raw HTTP header. */
  readonly contentType: string | null;
};

export type ReadFeedResult =
  | { readonly kind: 'read'; readonly feed: ParsedFeed; readonly encoding: string }
  | {
      readonly kind: 'not_a_feed';
      /** Describes what the document is instead of a feed. */
      readonly warning: FetchWarning;
      /** Absolute addresses of feeds that a web page declares. */
      readonly feeds: readonly string[];
    };

/** Linear in the bytes. The caller limits their number. */
export function readFeed(bytes: Uint8Array, context: FeedLocation): ReadFeedResult {
  const { text, encoding, warnings } = decodeText(bytes, context.contentType);
  const base = context.url === null ? null : resolveLink(context.url, null);
  const start = text.slice(0, 1000).trimStart();
  if (start === '' && text.trim() === '') return noFeedResult(fetchWarning('feed-empty'));
  // JSON or JSONP, with or without a byte order mark.
  if (/^(?:\ufeff)?\s*(?:[\w.$]+\()?\s*[{[]/.test(start)) {
    const json = mendJson(text);
    if (json.kind === 'value') {
      const jsonFeed = readJsonFeed(json.value, base);
      if (jsonFeed === null) return noFeedResult(fetchWarning('feed-json'));
      const jsonWarnings = json.wasRepaired ? [fetchWarning('json-broken')] : [];
      return {
        kind: 'read',
        encoding,
        feed: { ...jsonFeed, warnings: [...warnings, ...jsonWarnings] },
      };
    }
  }
  const document = parseXml(text, base);
  const xmlFeed = readXmlFeed(document.root);
  const isPage = /<(?:html|!doctype html)\b/i.test(text.slice(0, 5000));
  // A feed inside a page has a feed title. Other pages may contain elements of any name.
  if (xmlFeed !== null && (!isPage || xmlFeed.title !== null)) {
    const allWarnings = [...warnings, ...document.warnings];
    return { kind: 'read', encoding, feed: { ...xmlFeed, warnings: allWarnings } };
  }
  if (isPage) return findDeclaredFeeds(text, base);
  const isMarkup = start.startsWith('<');
  return noFeedResult(fetchWarning(isMarkup ? 'feed-xml' : 'feed-none'));
}

function noFeedResult(warning: FetchWarning, feeds: readonly string[] = []): ReadFeedResult {
  return { kind: 'not_a_feed', warning, feeds };
}

const feedTypes = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json|json)\b/i;

/** A web page can declare its feeds (RSS autodiscovery). */
function findDeclaredFeeds(text: string, base: string | null): ReadFeedResult {
  const feeds = new Set<string>();
  for (const token of readTokens(text.slice(0, 200_000))) {
    if (token.kind !== 'open' || token.name.toLowerCase() !== 'link') continue;
    const fields = new Map(token.attributes.map(([name, value]) => [name.toLowerCase(), value]));
    const isFeed =
      feedTypes.test(fields.get('type') ?? '') && /alternate/i.test(fields.get('rel') ?? '');
    const url = resolveLink(resolveEntities(fields.get('href') ?? ''), base);
    if (isFeed && url !== null && feeds.size < 20) feeds.add(url);
  }
  return noFeedResult(fetchWarning('feed-page', ...feeds), [...feeds]);
}
