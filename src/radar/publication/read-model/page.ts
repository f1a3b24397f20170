// One page of items (public API, GET /api/v1/items): which, in which order, and whether there are
// more. The same for JSON, HTML, feeds, agents and search.
import type { PublicItem } from '../item.ts';
import type { SearchQuery } from '../search/query.ts';
import { type Anchor, anchorOf, type Row, type SortBy } from './item-row.ts';
import { type Edition, type ListFilter, listOf, type Mode } from './read-model.ts';
import { searchRows, type Wanted } from './search-rows.ts';
import { visitSpan } from './sorted-list.ts';
import { cutoffOf, type Window } from './window.ts';

export type PageQuery = {
  readonly mode: Mode;
  /** Any string: one that no item has gives an empty page. */
  readonly category: string | null;
  readonly by: SortBy;
  readonly window: Window;
  readonly q: SearchQuery | null;
  /** At least 1. */
  readonly limit: number;
  /** Where the page before this one ended; null: the first page. */
  readonly anchor: Anchor | null;
};

export type Page =
  | {
      readonly kind: 'page';
      readonly items: readonly PublicItem[];
      readonly hasMore: boolean;
      /** For the next page; null exactly when there is none. */
      readonly nextAnchor: Anchor | null;
    }
  /** The anchor's sort time has left the window: the reader starts again. */
  | { readonly kind: 'anchor_left' };

/** `now`: epoch milliseconds. */
export function pageOf(edition: Edition, query: PageQuery, now: number): Page {
  const { by, limit, anchor } = query;
  const cutoff = cutoffOf(query.window, now);
  if (anchor !== null && anchor.at < cutoff) return { kind: 'anchor_left' };
  // One more than the limit: its presence means hasMore.
  const wanted = { span: { anchor, cutoff }, count: limit + 1 };
  const found =
    query.q === null
      ? listedRows(edition, query, wanted)
      : searchRows(edition, { ...query, q: query.q }, wanted);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit;
  return {
    kind: 'page',
    items: rows.map((row) => row.item),
    hasMore,
    nextAnchor: hasMore && last !== undefined ? anchorOf(by, last) : null,
  };
}

function listedRows(edition: Edition, filter: ListFilter, { span, count }: Wanted): readonly Row[] {
  const rows: Row[] = [];
  visitSpan(listOf(edition, filter), span, (row) => rows.push(row) < count);
  return rows;
}
