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

type Piece = readonly ItemRow[];

export type SortedList = {
  readonly by: SortBy;
  /** No chunk is empty. */
  readonly pieces: readonly Piece[];
  readonly size: number;
};

export type ListChange = {
  /** Rows of the list, in its order. */
  readonly removed: readonly ItemRow[];
  /** In the list's order. */
  readonly added: readonly ItemRow[];
};

const pieceMax = 256;

export function emptyList(by: SortBy): SortedList {
  return { by, pieces: [], size: 0 };
}

/** Visits only the chunks that change: a few comparisons for each row, at any size of the list. */
export function changeList(list: SortedList, { removed, added }: ListChange): SortedList {
  const { by, pieces: oldPieces } = list;
  const pieces: Piece[] = [];
  let { size } = list;
  let removedFrom = 0;
  let addedFrom = 0;
  let index = 0;
  while (removedFrom < removed.length || addedFrom < added.length) {
    const row = firstOf(by, removed[removedFrom], added[addedFrom]);
    const position = firstIndex(oldPieces, ([first]) => isBefore(by, row, first), index) - 1;
    for (; index < position; index++) pieces.push(oldPieces[index] ?? []);
    const piece = oldPieces[index] ?? [];
    index++;
    const next = oldPieces[index]?.[0];
    const removedTo = countBefore(by, removed, removedFrom, next);
    const addedTo = countBefore(by, added, addedFrom, next);
    const removedRows = new Set(removed.slice(removedFrom, removedTo));
    const remaining = removedRows.size === 0 ? piece : piece.filter((row) => !removedRows.has(row));
    const mergedRows = merge(by, remaining, added.slice(addedFrom, addedTo));
    size += mergedRows.length - piece.length;
    pushPieces(pieces, mergedRows);
    removedFrom = removedTo;
    addedFrom = addedTo;
  }
  for (; index < oldPieces.length; index++) pieces.push(oldPieces[index] ?? []);
  return { by, pieces, size };
}

/** The earlier one of two rows in the list's order. At least one is given. */
function firstOf(by: SortBy, a: ItemRow | undefined, b: ItemRow | undefined): ItemRow {
  const first = a === undefined || (b !== undefined && compareRows(by, b, a) < 0) ? b : a;
  assert(first !== undefined, 'a change has a row');
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
  { by, pieces }: SortedList,
  { anchor, cutoff }: RowSpan,
  visit: (row: ItemRow) => boolean,
): void {
  const isWithin = (row: ItemRow) => anchor === null || isAfterAnchor(by, row, anchor);
  const isOut = (row: ItemRow) => sortAtOf(by, row.item) < cutoff;
  // The chunk before the first one that begins within the span may end within it.
  const start = Math.max(0, firstIndex(pieces, ([row]) => row !== undefined && isWithin(row)) - 1);
  for (let position = start; position < pieces.length; position++) {
    const piece = pieces[position] ?? [];
    const last = piece.at(-1);
    const isLastPiece = last === undefined || isOut(last);
    const from = position === start ? firstIndex(piece, isWithin) : 0;
    const to = isLastPiece ? firstIndex(piece, isOut) : piece.length;
    for (let i = from; i < to; i++) {
      const row = piece[i];
      if (row !== undefined && !visit(row)) return;
    }
    if (isLastPiece) return;
  }
}

/** Visits rows backwards from the end until the callback returns false. */
export function visitFromEnd(list: SortedList, visit: (row: ItemRow) => boolean): void {
  for (let position = list.pieces.length - 1; position >= 0; position--) {
    const piece = list.pieces[position] ?? [];
    for (let i = piece.length - 1; i >= 0; i--) {
      const row = piece[i];
      if (row !== undefined && !visit(row)) return;
    }
  }
}

/**
 * Index after the last row of `rows`, from `from` on, that comes before `limit`. Undefined: no
 * limit.
 */
function countBefore(
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
function pushPieces(pieces: Piece[], rows: readonly ItemRow[]): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.length + rows.length <= pieceMax / 2) {
    pieces[pieces.length - 1] = [...last, ...rows];
    return;
  }
  const count = Math.ceil(rows.length / pieceMax);
  for (let i = 0; i < count; i++) {
    const from = Math.floor((rows.length * i) / count);
    pieces.push(rows.slice(from, Math.floor((rows.length * (i + 1)) / count)));
  }
}

/** Index of the first element that meets a monotonic condition. */
function firstIndex<T>(sorted: readonly T[], holds: (one: T) => boolean, from = 0): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
