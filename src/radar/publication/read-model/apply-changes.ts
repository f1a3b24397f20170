// Derives the next read model from upserts and removals. It also drops expired items and compacts
// the search signature.
import { type PublicItem, publishedSortAt } from '../item.ts';
import { searchTextOf } from '../search/match.ts';
import { addToSegment, emptySegment, isFull, SEGMENT_SLOTS } from '../search/segment.ts';
import { changeTable, hasRow, rowOf } from './id-table.ts';
import { compareRows, type ItemRow, type SortBy } from './item-row.ts';
import {
  type LiveSegment,
  labelsOf,
  listKey,
  listOf,
  type Mode,
  type ReadModel,
} from './read-model.ts';
import { changeList, type SortedList, visitFromEnd } from './sorted-list.ts';
import { earliestKeptAt } from './window.ts';

export type ReadModelChanges = {
  readonly version: number;
  /** New or changed public items. When an id occurs several times, the last one counts. */
  readonly upserts: readonly PublicItem[];
  /** Ids that are no longer public. A removal overrides an upsert of the same id. */
  readonly removals: readonly string[];
};

// Limits of the extra work of one apply (about 10 µs an item). Later calls do the remaining work.
const EXPIRED_ROWS_MAX = 1000;
const MOVED_ROWS_MAX = 128;

/**
 * Returns the read model after `changes`. Items that are older than the window at `now` (epoch
 * milliseconds) by more than an hour are dropped. An item costs about 20 µs and a call 0.1 ms, at
 * any size.
 */
export function applyChanges(model: ReadModel, changes: ReadModelChanges, now: number): ReadModel {
  const upserts = new Map(changes.upserts.map((item) => [item.id, item]));
  const removals = new Set(changes.removals);
  const removedRows = new Set(findExpiredRows(model, now));
  for (const row of findSparseRows(model)) {
    // An upsert of the unchanged item moves its row to the newest segment.
    if (!removedRows.has(row) && !upserts.has(row.item.id)) upserts.set(row.item.id, row.item);
  }
  for (const id of removals) upserts.delete(id);
  for (const id of [...upserts.keys(), ...removals]) {
    const row = rowOf(model.table, id);
    if (row !== undefined) removedRows.add(row);
  }
  const recentItems = [...upserts.values()].filter(
    (item) => newestSortAt(item) >= earliestKeptAt(now),
  );
  const { segments, added: addedRows } = addRows(
    dropRows(model.segments, removedRows),
    recentItems,
  );
  return {
    version: changes.version,
    table: changeTable(model.table, removedRows, addedRows),
    lists: changeLists(model, removedRows, addedRows),
    segments: segments.filter(({ liveCount, segment }) => liveCount > 0 || !isFull(segment)),
    documents: model.documents,
  };
}

function newestSortAt(item: PublicItem): number {
  return Math.max(item.timelineAt, publishedSortAt(item));
}

/** Returns rows outside of every window. They are at the end of the timeline. */
function findExpiredRows(model: ReadModel, now: number): ItemRow[] {
  const from = earliestKeptAt(now);
  const expired: ItemRow[] = [];
  visitFromEnd(listOf(model, { by: 'timeline', mode: 'all', category: null }), (row) => {
    if (row.item.timelineAt >= from || expired.length === EXPIRED_ROWS_MAX) return false;
    if (newestSortAt(row.item) < from) expired.push(row);
    return true;
  });
  return expired;
}

/**
 * Returns rows of a full segment that is less than half in use. These rows move to the newest
 * segment. A segment without rows is dropped.
 */
function findSparseRows(model: ReadModel): ItemRow[] {
  const sparse = model.segments.find(
    ({ segment, liveCount }) => isFull(segment) && liveCount > 0 && liveCount < SEGMENT_SLOTS / 2,
  );
  if (sparse === undefined) return [];
  const rows: ItemRow[] = [];
  for (const row of sparse.segment.entries) {
    if (hasRow(model.table, row) && rows.push(row) === MOVED_ROWS_MAX) break;
  }
  return rows;
}

function dropRows(segments: readonly LiveSegment[], removed: ReadonlySet<ItemRow>): LiveSegment[] {
  const removedRows = Map.groupBy(removed, (row) => row.segment);
  return segments.map(({ segment, liveCount }) => ({
    segment,
    liveCount: liveCount - (removedRows.get(segment)?.length ?? 0),
  }));
}

function addRows(
  segments: readonly LiveSegment[],
  items: readonly PublicItem[],
): { readonly segments: LiveSegment[]; readonly added: ItemRow[] } {
  const newSegments = [...segments];
  const addedRows = items.map((item) => {
    let lastSegment = newSegments.at(-1);
    if (lastSegment === undefined || isFull(lastSegment.segment)) {
      lastSegment = { segment: emptySegment(), liveCount: 0 };
      newSegments.push(lastSegment);
    }
    const { segment, liveCount } = lastSegment;
    newSegments[newSegments.length - 1] = { segment, liveCount: liveCount + 1 };
    const row = { item, text: searchTextOf(item), segment, slot: segment.entries.length };
    const mode = item.selected ? 'selected' : 'all';
    addToSegment(segment, row, row.text, {
      timelineAt: item.timelineAt,
      publishedAt: publishedSortAt(item),
      labels: labelsOf({ mode, category: item.category }),
    });
    return row;
  });
  return { segments: newSegments, added: addedRows };
}

function changeLists(
  model: ReadModel,
  removed: ReadonlySet<ItemRow>,
  added: readonly ItemRow[],
): ReadonlyMap<string, SortedList> {
  const lists = new Map(model.lists);
  for (const by of ['timeline', 'published'] satisfies SortBy[]) {
    const groupInOrder = (rows: Iterable<ItemRow>) =>
      groupByList(
        by,
        [...rows].sort((a, b) => compareRows(by, a, b)),
      );
    const removedByKey = groupInOrder(removed);
    const addedByKey = groupInOrder(added);
    for (const key of new Set([...removedByKey.keys(), ...addedByKey.keys()])) {
      const list = changeList(lists.get(key) ?? { by, chunks: [], size: 0 }, {
        removed: removedByKey.get(key) ?? [],
        added: addedByKey.get(key) ?? [],
      });
      if (list.size > 0) lists.set(key, list);
      else lists.delete(key);
    }
  }
  return lists;
}

/** Groups rows by the lists that contain them. A row is in at most four lists per sort order. */
function groupByList(by: SortBy, rows: readonly ItemRow[]): Map<string, ItemRow[]> {
  const lists = new Map<string, ItemRow[]>();
  const putRow = (key: string, row: ItemRow) => {
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [row]);
    else list.push(row);
  };
  for (const row of rows) {
    const modes: readonly Mode[] = row.item.selected ? ['all', 'selected'] : ['all'];
    for (const mode of modes) {
      putRow(listKey({ by, mode, category: null }), row);
      if (row.item.category !== null)
        putRow(listKey({ by, mode, category: row.item.category }), row);
    }
  }
  return lists;
}
