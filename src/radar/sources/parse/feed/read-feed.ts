// One feed document to a reading, whatever its format, its encoding and its mistakes. The format
// is what the bytes are; the content type says at most the encoding. Never throws, never hangs.

import { tokens } from '../../../../kernel/text/markup.ts';
import { resolveEntities } from '../../../../kernel/text/text.ts';
import { type Note, note } from '../../fetch/fetch-warning.ts';
import { decodeText } from '../decode-text.ts';
import type { Reading } from '../entry.ts';
import { mendJson } from './mend-json.ts';
import { parseXml } from './parse-xml.ts';
import { readJsonFeed } from './read-json-feed.ts';
import { readXmlFeed } from './read-xml-feed.ts';
import { resolveLink } from './resolve-link.ts';

export type FeedContext = {
  /** The document's address after redirects: the base of its relative links. */
  readonly url: string | null;
  /** The HTTP header as it came. */
  readonly contentType: string | null;
};

export type ReadFeed =
  | { readonly kind: 'read'; readonly reading: Reading; readonly encoding: string }
  | {
      readonly kind: 'not_a_feed';
      /** What the document is instead. */
      readonly note: Note;
      /** The feeds that a web page says it has; absolute. */
      readonly feeds: readonly string[];
    };

/** Linear in the bytes. The caller caps their number. */
export function readFeed(bytes: Uint8Array, context: FeedContext): ReadFeed {
  const { text, encoding, warnings } = decodeText(bytes, context.contentType);
  const base = context.url === null ? null : resolveLink(context.url, null);
  const start = text.slice(0, 1000).trimStart();
  if (start === '' && text.trim() === '') return notAFeed(note('feed-empty'));
  if (/^(?:\ufeff)?\s*(?:[\w.$]+\()?\s*[{[]/.test(start)) {
    const json = mendJson(text);
    if (json.kind === 'value') {
      const reading = readJsonFeed(json.value, base);
      if (reading === null) return notAFeed(note('feed-json'));
      const cut = json.wasBroken ? [note('json-broken')] : [];
      return { kind: 'read', encoding, reading: { ...reading, warnings: [...warnings, ...cut] } };
    }
  }
  const document = parseXml(text, base);
  const reading = readXmlFeed(document.root);
  const isPage = /<(?:html|!doctype html)\b/i.test(text.slice(0, 5000));
  // A page with a feed inside it has the feed's title; a page may have elements of any name.
  if (reading !== null && (!isPage || reading.title !== null)) {
    const all = [...warnings, ...document.warnings];
    return { kind: 'read', encoding, reading: { ...reading, warnings: all } };
  }
  if (isPage) return webPage(text, base);
  const isMarkup = start.startsWith('<');
  return notAFeed(note(isMarkup ? 'feed-xml' : 'feed-none'));
}

function notAFeed(what: Note, feeds: readonly string[] = []): ReadFeed {
  return { kind: 'not_a_feed', note: what, feeds };
}

const feedTypes = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json|json)\b/i;

/** A page may say where its feeds are (RSS autodiscovery). */
function webPage(text: string, base: string | null): ReadFeed {
  const feeds = new Set<string>();
  for (const token of tokens(text.slice(0, 200_000))) {
    if (token.kind !== 'open' || token.name.toLowerCase() !== 'link') continue;
    const fields = new Map(token.attributes.map(([name, value]) => [name.toLowerCase(), value]));
    const isFeed =
      feedTypes.test(fields.get('type') ?? '') && /alternate/i.test(fields.get('rel') ?? '');
    const url = resolveLink(resolveEntities(fields.get('href') ?? ''), base);
    if (isFeed && url !== null && feeds.size < 20) feeds.add(url);
  }
  return notAFeed(note('feed-page', ...feeds), [...feeds]);
}
