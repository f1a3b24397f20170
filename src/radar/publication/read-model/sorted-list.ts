// An immutable sorted list of rows in chunks of a few hundred. A new list shares all unchanged
// chunks, so a change costs the same at 100,000 rows as at 1,000.
import { assert } from '../../../kernel/errors/assert.ts';
import {
  type Anchor,
  compareRows,
  type ItemRow,
  isAfterAnchor,
  type SortBy,
  sortAtOf,
} from './item-row.ts';

type Chunk = readonly ItemRow[];

export type SortedList = {
  readonly by: SortBy;
  /** No chunk is empty. */
  readonly chunks: readonly Chunk[];
  readonly size: number;
};

export type ListChange = {
  /** Rows of the list, in its order. */
  readonly removed: readonly ItemRow[];
  /** In the list's order. */
  readonly added: readonly ItemRow[];
};

const CHUNK_ROWS_MAX = 256;

export function emptyList(by: SortBy): SortedList {
  return { by, chunks: [], size: 0 };
}

/**
 * Visits only the chunks that change. A changed row costs a few comparisons in a list of any size.
 */
export function changeList(list: SortedList, { removed, added }: ListChange): SortedList {
  const { by, chunks: oldChunks } = list;
  const chunks: Chunk[] = [];
  let { size } = list;
  let removedFrom = 0;
  let addedFrom = 0;
  let index = 0;
  while (removedFrom < removed.length || addedFrom < added.length) {
    const row = firstOf(by, removed[removedFrom], added[addedFrom]);
    const position = firstIndex(oldChunks, ([first]) => isBefore(by, row, first), index) - 1;
    for (; index < position; index++) chunks.push(oldChunks[index] ?? []);
    const chunk = oldChunks[index] ?? [];
    index++;
    const next = oldChunks[index]?.[0];
    const removedTo = endIndexBefore(by, removed, removedFrom, next);
    const addedTo = endIndexBefore(by, added, addedFrom, next);
    const removedRows = new Set(removed.slice(removedFrom, removedTo));
    const remaining = removedRows.size === 0 ? chunk : chunk.filter((row) => !removedRows.has(row));
    const mergedRows = merge(by, remaining, added.slice(addedFrom, addedTo));
    size += mergedRows.length - chunk.length;
    pushChunks(chunks, mergedRows);
    removedFrom = removedTo;
    addedFrom = addedTo;
  }
  for (; index < oldChunks.length; index++) chunks.push(oldChunks[index] ?? []);
  return { by, chunks, size };
}

/** The earlier one of two rows in the list's order. At least one is given. */
function firstOf(by: SortBy, a: ItemRow | undefined, b: ItemRow | undefined): ItemRow {
  const first = a === undefined || (b !== undefined && compareRows(by, b, a) < 0) ? b : a;
  assert(first !== undefined, 'neither row is given');
  return first;
}

const isBefore = (by: SortBy, row: ItemRow, other: ItemRow | undefined): boolean =>
  other !== undefined && compareRows(by, row, other) < 0;

export type RowSpan = {
  /** Begins with the first row after this anchor; null: with the first row of the list. */
  readonly anchor: Anchor | null;
  /** The earliest sort time of the span. */
  readonly cutoff: number;
};

/** Visits the rows of a span in order until the callback returns false. */
export function visitSpan(
  { by, chunks }: SortedList,
  { anchor, cutoff }: RowSpan,
  visit: (row: ItemRow) => boolean,
): void {
  const isAfterStart = (row: ItemRow) => anchor === null || isAfterAnchor(by, row, anchor);
  const isBeyondEnd = (row: ItemRow) => sortAtOf(by, row.item) < cutoff;
  // The span may begin inside the chunk before the first chunk that begins within the span.
  const start = Math.max(
    0,
    firstIndex(chunks, ([row]) => row !== undefined && isAfterStart(row)) - 1,
  );
  for (let position = start; position < chunks.length; position++) {
    const chunk = chunks[position] ?? [];
    const lastRow = chunk.at(-1);
    const isLastChunk = lastRow === undefined || isBeyondEnd(lastRow);
    const from = position === start ? firstIndex(chunk, isAfterStart) : 0;
    const to = isLastChunk ? firstIndex(chunk, isBeyondEnd) : chunk.length;
    for (let i = from; i < to; i++) {
      const row = chunk[i];
      if (row !== undefined && !visit(row)) return;
    }
    if (isLastChunk) return;
  }
}

/** Visits rows backwards from the end until the callback returns false. */
export function visitFromEnd(list: SortedList, visit: (row: ItemRow) => boolean): void {
  for (let position = list.chunks.length - 1; position >= 0; position--) {
    const chunk = list.chunks[position] ?? [];
    for (let i = chunk.length - 1; i >= 0; i--) {
      const row = chunk[i];
      if (row !== undefined && !visit(row)) return;
    }
  }
}

/**
 * Returns the index of the first row, at or after `from`, that does not come before `limit`.
 * `limit` undefined: the number of rows.
 */
function endIndexBefore(
  by: SortBy,
  rows: readonly ItemRow[],
  from: number,
  limit: ItemRow | undefined,
): number {
  if (limit === undefined) return rows.length;
  let to = from;
  for (let row = rows[to]; row !== undefined && compareRows(by, row, limit) < 0; row = rows[to]) {
    to++;
  }
  return to;
}

function merge(by: SortBy, remaining: readonly ItemRow[], added: readonly ItemRow[]): ItemRow[] {
  const mergedRows: ItemRow[] = [];
  let next = 0;
  for (const row of added) {
    const end = firstIndex(remaining, (other) => compareRows(by, row, other) < 0, next);
    for (const other of remaining.slice(next, end)) mergedRows.push(other);
    mergedRows.push(row);
    next = end;
  }
  for (const other of remaining.slice(next)) mergedRows.push(other);
  return mergedRows;
}

/** Appends rows as chunks of half to full size. A small last chunk is joined with them. */
function pushChunks(chunks: Chunk[], rows: readonly ItemRow[]): void {
  const lastChunk = chunks.at(-1);
  if (lastChunk !== undefined && lastChunk.length + rows.length <= CHUNK_ROWS_MAX / 2) {
    chunks[chunks.length - 1] = [...lastChunk, ...rows];
    return;
  }
  const count = Math.ceil(rows.length / CHUNK_ROWS_MAX);
  for (let i = 0; i < count; i++) {
    const from = Math.floor((rows.length * i) / count);
    chunks.push(rows.slice(from, Math.floor((rows.length * (i + 1)) / count)));
  }
}

/** Index of the first element that meets a monotonic condition. */
function firstIndex<T>(
  sorted: readonly T[],
  meetsCondition: (element: T) => boolean,
  from = 0,
): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (meetsCondition(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
