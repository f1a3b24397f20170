// One item of the read model, and the order of items by either sort time: time descending, then id
// descending by bytes. Ids are ASCII, so JavaScript compares them by bytes.
import { type PublicItem, publishedSortAt } from '../item.ts';
import type { SearchSegment } from '../search/segment.ts';

export type ItemRow = {
  readonly item: PublicItem;
  /** Folded text that search compares with. */
  readonly text: string;
  /** The segment and the slot that hold the text in the search signature. */
  readonly segment: SearchSegment<ItemRow>;
  readonly slot: number;
};

export type SortBy = 'timeline' | 'published';

/** A position in a list, given by a row. It stays valid after the row is removed. */
export type Anchor = {
  /** Sort time, epoch milliseconds. */
  readonly at: number;
  readonly id: string;
};

export function sortAtOf(by: SortBy, item: PublicItem): number {
  return by === 'timeline' ? item.timelineAt : publishedSortAt(item);
}

export function anchorOf(by: SortBy, row: ItemRow): Anchor {
  return { at: sortAtOf(by, row.item), id: row.item.id };
}

/** Negative when `a` comes before `b`. */
export function compareRows(by: SortBy, a: ItemRow, b: ItemRow): number {
  const difference = sortAtOf(by, b.item) - sortAtOf(by, a.item);
  if (difference !== 0) return difference;
  if (a.item.id === b.item.id) return 0;
  return a.item.id > b.item.id ? -1 : 1;
}

/** True when a row comes after an anchor and so belongs to the next page. */
export function isAfterAnchor(by: SortBy, row: ItemRow, anchor: Anchor): boolean {
  const sortAt = sortAtOf(by, row.item);
  return sortAt === anchor.at ? row.item.id < anchor.id : sortAt < anchor.at;
}
