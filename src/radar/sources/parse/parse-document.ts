// Parses a source's document of any kind. Pure. Each parser is loaded on first use, because the
// parser for web pages is large.

import { type FetchWarning, fetchWarning } from '../fetch/fetch-warning.ts';
import type { SourceDefinition } from '../source-settings.ts';
import { decodeText } from './decode-text.ts';
import type { ParsedFeed } from './entry.ts';

export type SourceDocument = {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** Address after redirects; null for a local file. */
  readonly url: string | null;
  /** Time of the fetch, epoch milliseconds. */
  readonly now: number;
};

export type ParseResult =
  | { readonly kind: 'read'; readonly feed: ParsedFeed }
  | { readonly kind: 'failed'; readonly warning: FetchWarning };

export async function parseDocument(
  definition: SourceDefinition,
  document: SourceDocument,
): Promise<ParseResult> {
  const { bytes, contentType, url, now } = document;
  const listUrl = url ?? (definition.kind === 'push' ? '' : definition.settings.url);
  const context = { url: listUrl, now, language: definition.language };
  switch (definition.kind) {
    case 'feed': {
      const { readFeed } = await import('./feed/read-feed.ts');
      const outcome = readFeed(bytes, { url, contentType });
      return outcome.kind === 'read' ? outcome : { kind: 'failed', warning: outcome.warning };
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
      return { kind: 'failed', warning: fetchWarning('push-not-read') };
  }
}
