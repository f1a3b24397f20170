// All public data of the window in memory: an immutable snapshot with a version. A new read model
// shares unchanged parts with the previous one, which stays readable.
import type { PublicItem } from '../item.ts';
import type { SearchSegment } from '../search/segment.ts';
import { type Documents, noDocuments } from './documents.ts';
import { emptyTable, type IdTable, rowOf } from './id-table.ts';
import type { ItemRow, SortBy } from './item-row.ts';
import { emptyList, type SortedList } from './sorted-list.ts';

export type Mode = 'selected' | 'all';

export type ReadModel = {
  /** The publication's sequence number at this snapshot. */
  readonly version: number;
  readonly table: IdTable<ItemRow>;
  /** By `listKey`; a key without rows is absent. */
  readonly lists: ReadonlyMap<string, SortedList>;
  /** Oldest first. New rows are added only to the last segment. */
  readonly segments: readonly LiveSegment[];
  /** Public documents. */
  readonly documents: Documents;
};

export type LiveSegment = {
  readonly segment: SearchSegment<ItemRow>;
  /** The number of the segment's entries in this read model. */
  readonly liveCount: number;
};

export type ListFilter = {
  readonly by: SortBy;
  readonly mode: Mode;
  /** Any string; null: all categories, and items without one. */
  readonly category: string | null;
};

export function emptyReadModel(): ReadModel {
  const table = emptyTable((row: ItemRow) => row.item.id);
  return { version: 0, table, lists: new Map(), segments: [], documents: noDocuments };
}

/** The number of items, including those slightly older than the window. */
export function sizeOf(model: ReadModel): number {
  return model.table.size;
}

/** An item by id, even when it is slightly older than the window. */
export function itemOf(model: ReadModel, id: string): PublicItem | null {
  return rowOf(model.table, id)?.item ?? null;
}

export function listKey({ by, mode, category }: ListFilter): string {
  return category === null ? `${by}/${mode}` : `${by}/${mode}/${category}`;
}

export function listOf(model: ReadModel, filter: ListFilter): SortedList {
  return model.lists.get(listKey(filter)) ?? emptyList(filter.by);
}

/** The labels that every row of a list has. */
export function labelsOf({ mode, category }: Pick<ListFilter, 'mode' | 'category'>): string[] {
  const labels = mode === 'selected' ? ['selected'] : [];
  return category === null ? labels : [...labels, `category/${category}`];
}

/** True when a list contains the item. */
export function isListed(item: PublicItem, { mode, category }: ListFilter): boolean {
  return (mode === 'all' || item.selected) && (category === null || item.category === category);
}
