// From the bytes of a source's document to entries, whatever kind of source it is. Pure.
import { decodeText } from './decode-text.ts';
import type { Reading } from './entry.ts';
import { readFeed } from './feed/read-feed.ts';
import { readJsonList } from './json-list/read-json-list.ts';
import type { SourceDefinition } from './source-settings.ts';
import { readWebList } from './web-list/read-web-list.ts';

export type Document = {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** Where it came from, after redirects; null for a file on disk. */
  readonly url: string | null;
  /** Epoch milliseconds of the read. */
  readonly now: number;
};

export type ReadDocument =
  | { readonly kind: 'read'; readonly reading: Reading }
  | { readonly kind: 'failed'; readonly reason: string };

export function readDocument(definition: SourceDefinition, document: Document): ReadDocument {
  const { bytes, contentType, url, now } = document;
  const listUrl = url ?? (definition.kind === 'push' ? '' : definition.settings.url);
  const context = { url: listUrl, now, language: definition.language };
  switch (definition.kind) {
    case 'feed': {
      const outcome = readFeed(bytes, { url, contentType });
      return outcome.kind === 'read' ? outcome : { kind: 'failed', reason: outcome.reason };
    }
    case 'web-list':
      return readWebList(decodeText(bytes, contentType).text, definition.settings, context);
    case 'json-list':
      return readJsonList(decodeText(bytes, contentType).text, definition.settings, context);
    case 'push':
      return { kind: 'failed', reason: 'a push source has no document' };
  }
}
