// From the bytes of a source's document to entries, whatever kind of source it is. Pure; a kind's
// reader is loaded with its first document, because the one of pages is large.

import { type Note, note } from '../fetch/fetch-warning.ts';
import type { SourceDefinition } from '../source-settings.ts';
import { decodeText } from './decode-text.ts';
import type { Reading } from './entry.ts';

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
  | { readonly kind: 'failed'; readonly note: Note };

export async function readDocument(
  definition: SourceDefinition,
  document: Document,
): Promise<ReadDocument> {
  const { bytes, contentType, url, now } = document;
  const listUrl = url ?? (definition.kind === 'push' ? '' : definition.settings.url);
  const context = { url: listUrl, now, language: definition.language };
  switch (definition.kind) {
    case 'feed': {
      const { readFeed } = await import('./feed/read-feed.ts');
      const outcome = readFeed(bytes, { url, contentType });
      return outcome.kind === 'read' ? outcome : { kind: 'failed', note: outcome.note };
    }
    case 'web-list': {
      const { readWebList } = await import('./web-list/read-web-list.ts');
      return readWebList(decodeText(bytes, contentType).text, definition.settings, context);
    }
    case 'json-list': {
      const { readJsonList } = await import('./json-list/read-json-list.ts');
      return readJsonList(decodeText(bytes, contentType).text, definition.settings, context);
    }
    case 'push':
      return { kind: 'failed', note: note('push-not-read') };
  }
}
