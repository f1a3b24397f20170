// Finds the first rows that match a search. Segments are read from the newest one on, until the
// page is full. A segment's signature yields candidate rows, whose texts are then compared.
import { matchesParts } from '../search/match.ts';
import type { TextQuery } from '../search/query.ts';
import {
  ROW_WORDS,
  rowsOf,
  SEGMENT_SLOTS,
  type SearchSegment,
  writeCandidates,
} from '../search/segment.ts';
import { hasRow } from './id-table.ts';
import { compareRows, type ItemRow, isAfterAnchor, type SortBy } from './item-row.ts';
import { type ListFilter, labelsOf, type ReadModel } from './read-model.ts';
import type { RowSpan } from './sorted-list.ts';

export type RowSearch = ListFilter & { readonly q: TextQuery };

export type RowRange = {
  readonly span: RowSpan;
  readonly count: number;
};

/** Limit of the time in a key, ms (99 days). A key stays an exact integer for a million slots. */
const TIME_MAX = 2 ** 33;

// Searches reuse these buffers, because new buffers cause more garbage collections.
const columns = new Int32Array(ROW_WORDS);
let keys = new Float64Array(SEGMENT_SLOTS);

export function searchRows(
  model: ReadModel,
  search: RowSearch,
  { span, count }: RowRange,
): readonly ItemRow[] {
  const foundRows: ItemRow[] = [];
  for (const row of iterateCandidates(model, search, span)) {
    // A slot may refer to an earlier version of an item, or to an item of a later read model.
    if (!matchesParts(row.text, search.q.parts) || !hasRow(model.table, row)) continue;
    if (foundRows.push(row) === count) break;
  }
  return foundRows;
}

/**
 * Yields candidates newest first. A candidate's key is one number with its time and slot, so
 * sorting reads no rows. A candidate is yielded when no later segment can contain a newer one.
 */
function* iterateCandidates(
  model: ReadModel,
  search: RowSearch,
  { anchor, cutoff }: RowSpan,
): Generator<ItemRow> {
  const { by } = search;
  const [gramRows, labels] = [rowsOf(search.q), labelsOf(search)];
  const latest = anchor?.at ?? Number.POSITIVE_INFINITY;
  const segments = sortNewestFirst(model, by);
  const slots = segments.length * SEGMENT_SLOTS;
  const keyOf = (time: number) => Math.min(Math.floor(time - cutoff), TIME_MAX) * slots;
  const rowOf = (key: number): ItemRow => {
    const slot = key % slots;
    return segments[Math.floor(slot / SEGMENT_SLOTS)]?.entries[slot % SEGMENT_SLOTS] as ItemRow;
  };
  let count = 0;
  for (const [index, segment] of segments.entries()) {
    const times = segment.times[by];
    if (times.oldest <= latest && times.newest >= cutoff) {
      if (keys.length < count + SEGMENT_SLOTS) keys = enlargeBuffer(keys, count);
      writeCandidates(segment, gramRows, labels, columns);
      for (let position = 0; position < ROW_WORDS; position++) {
        // Each set bit is a candidate. A step reads and clears the lowest set bit.
        let bits = columns[position] ?? 0;
        for (; bits !== 0; bits &= bits - 1) {
          const slot = position * 32 + 31 - Math.clz32(bits & -bits);
          const time = times.at[slot] ?? 0;
          if (time < cutoff || time > latest) continue;
          keys[count++] = keyOf(time) + index * SEGMENT_SLOTS + slot;
        }
      }
      keys.subarray(0, count).sort();
    }
    // A candidate with the time of the next segment's newest entry is yielded together with that
    // entry, because their ids decide the order.
    const next = segments[index + 1]?.times[by].newest;
    const nextNewest = next === undefined ? Number.NEGATIVE_INFINITY : keyOf(next) + slots;
    while (count > 0 && (keys[count - 1] ?? 0) >= nextNewest) {
      const end = count;
      const time = Math.floor((keys[end - 1] ?? 0) / slots);
      while (count > 0 && Math.floor((keys[count - 1] ?? 0) / slots) === time) count--;
      const rows = Array.from(keys.subarray(count, end), rowOf);
      if (rows.length > 1) rows.sort((a, b) => compareRows(by, a, b));
      for (const row of rows) if (anchor === null || isAfterAnchor(by, row, anchor)) yield row;
    }
  }
}

function sortNewestFirst({ segments }: ReadModel, by: SortBy): readonly SearchSegment<ItemRow>[] {
  return segments
    .map(({ segment }) => segment)
    .sort((a, b) => b.times[by].newest - a.times[by].newest);
}

function enlargeBuffer(
  before: Float64Array<ArrayBuffer>,
  usedLength: number,
): Float64Array<ArrayBuffer> {
  const next = new Float64Array(2 * (usedLength + SEGMENT_SLOTS));
  next.set(before.subarray(0, usedLength));
  return next;
}
