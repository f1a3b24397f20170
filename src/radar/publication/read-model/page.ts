// Reads one page of items (public API, GET /api/v1/items): its items in order, and whether more
// items follow. JSON, HTML, feeds, agents and search all use it.
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import type { PublicItem } from '../item.ts';
import type { TextQuery } from '../search/query.ts';
import { type Anchor, anchorOf, type ItemRow, type SortBy } from './item-row.ts';
import { type ListFilter, listOf, type Mode, type ReadModel } from './read-model.ts';
import { type RowRange, searchRows } from './search-rows.ts';
import { visitSpan } from './sorted-list.ts';
import { cutoffOf, type Window } from './window.ts';

export type ItemPageQuery = {
  readonly mode: Mode;
  /** Any string. A string that no item has gives an empty page. */
  readonly category: string | null;
  readonly by: SortBy;
  readonly window: Window;
  readonly q: TextQuery | null;
  /** At least 1. */
  readonly limit: number;
  /** The end of the previous page; null: the first page. */
  readonly anchor: Anchor | null;
};

export type ItemPage =
  | {
      readonly kind: 'page';
      readonly items: readonly PublicItem[];
      readonly hasMore: boolean;
      /** The anchor of the next page; null exactly when `hasMore` is false. */
      readonly nextAnchor: Anchor | null;
    }
  /** The anchor's sort time is outside of the window: the reader must start again. */
  | { readonly kind: 'anchor_expired' };

/** `now`: epoch milliseconds. */
export function pageOf(model: ReadModel, query: ItemPageQuery, now: number): ItemPage {
  const { by, limit, anchor } = query;
  const cutoff = cutoffOf(query.window, now);
  if (anchor !== null && anchor.at < cutoff) return { kind: 'anchor_expired' };
  // One row more than the limit is read. If it exists, `hasMore` is true.
  const range = { span: { anchor, cutoff }, count: limit + 1 };
  const { q } = query;
  const matches =
    q === null
      ? readListedRows(model, query, range)
      : timeSection('search: candidates and verification', () =>
          searchRows(model, { ...query, q }, range),
        );
  const rows = matches.slice(0, limit);
  const lastRow = rows.at(-1);
  const hasMore = matches.length > limit;
  return {
    kind: 'page',
    items: rows.map((row) => row.item),
    hasMore,
    nextAnchor: hasMore && lastRow !== undefined ? anchorOf(by, lastRow) : null,
  };
}

function readListedRows(
  model: ReadModel,
  filter: ListFilter,
  { span, count }: RowRange,
): readonly ItemRow[] {
  const rows: ItemRow[] = [];
  visitSpan(listOf(model, filter), span, (row) => rows.push(row) < count);
  return rows;
}
