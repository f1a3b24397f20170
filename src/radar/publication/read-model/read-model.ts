// What is public, in memory: an immutable snapshot of the window's items with a version, replaced
// as a whole. A new edition shares all that did not change with the one before it, which stays
// readable.
import type { PublicItem } from '../item.ts';
import type { Segment } from '../search/segment.ts';
import { type Documents, noDocuments } from './documents.ts';
import { emptyTable, type IdTable, rowOf } from './id-table.ts';
import type { Row, SortBy } from './item-row.ts';
import { emptyList, type SortedList } from './sorted-list.ts';

export type Mode = 'selected' | 'all';

export type Edition = {
  /** Of the rows in the store that this edition shows. */
  readonly version: number;
  readonly table: IdTable<Row>;
  /** By `listKey`; a key without rows is absent. */
  readonly lists: ReadonlyMap<string, SortedList>;
  /** Oldest first; only the last one is still filled. */
  readonly segments: readonly LiveSegment[];
  /** What is public besides items. */
  readonly documents: Documents;
};

export type LiveSegment = {
  readonly segment: Segment<Row>;
  /** How many of the segment's entries this edition holds. */
  readonly live: number;
};

export type ListFilter = {
  readonly by: SortBy;
  readonly mode: Mode;
  /** Any string; null: all categories, and items without one. */
  readonly category: string | null;
};

export function emptyEdition(): Edition {
  const table = emptyTable((row: Row) => row.item.id);
  return { version: 0, table, lists: new Map(), segments: [], documents: noDocuments };
}

/** How many items the edition holds, some of them a little older than the window. */
export function sizeOf(edition: Edition): number {
  return edition.table.size;
}

/** An item by id, also when it is a little older than the window. */
export function itemOf(edition: Edition, id: string): PublicItem | null {
  return rowOf(edition.table, id)?.item ?? null;
}

export function listKey({ by, mode, category }: ListFilter): string {
  return category === null ? `${by}/${mode}` : `${by}/${mode}/${category}`;
}

export function listOf(edition: Edition, filter: ListFilter): SortedList {
  return edition.lists.get(listKey(filter)) ?? emptyList(filter.by);
}

/** Whether an item belongs into a list. */
export function isListed(item: PublicItem, { mode, category }: ListFilter): boolean {
  return (mode === 'all' || item.selected) && (category === null || item.category === category);
}
