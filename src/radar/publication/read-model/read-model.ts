// All public data of the window in memory: an immutable snapshot with a version, replaced as a
// whole. A new read model shares unchanged parts with the previous one, which stays readable.
import type { PublicItem } from '../item.ts';
import type { Segment } from '../search/segment.ts';
import { type Documents, noDocuments } from './documents.ts';
import { emptyTable, type IdTable, rowOf } from './id-table.ts';
import type { Row, SortBy } from './item-row.ts';
import { emptyList, type SortedList } from './sorted-list.ts';

export type Mode = 'selected' | 'all';

export type Edition = {
  /** The version of the stored rows that it shows. */
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
  /** The number of the segment's entries in this read model. */
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

/** The number of items, some of them slightly older than the window. */
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
