// Seals and opens the cursor after a page of items. A cursor contains the end of its page and is
// valid only for the same query (feed contract, "Cursors"). The limit may change between pages.
import type { KeyObject } from 'node:crypto';
import { type CursorScope, openCursor, sealCursor } from '../../../kernel/text/cursor.ts';
import type { Anchor } from './item-row.ts';
import type { ItemPageQuery } from './page.ts';

export type CursorQuery = Pick<ItemPageQuery, 'mode' | 'category' | 'window' | 'by' | 'q'>;

export function sealAnchor(secret: KeyObject, query: CursorQuery, anchor: Anchor): string {
  return sealCursor(secret, scopeOf(query), [anchor.at, anchor.id]);
}

/** Null when the token is malformed, tampered with, or belongs to another query. */
export function openAnchor(secret: KeyObject, query: CursorQuery, token: string): Anchor | null {
  const [at, id] = openCursor(secret, scopeOf(query), token) ?? [];
  return typeof at === 'number' && typeof id === 'string' ? { at, id } : null;
}

function scopeOf({ mode, category, window, by, q }: CursorQuery): CursorScope {
  return { kind: 'i1', bound: [mode, category, window, by, q?.text ?? null] };
}
