// The first rows that match a search. The signature yields candidates. Few candidates are sorted
// first; many are met by walking the list in order. Each candidate is verified against its text.
import { matchesParts } from '../search/match.ts';
import type { TextQuery } from '../search/query.ts';
import {
  hasSlot,
  rowsOf,
  rowWords,
  type SearchSegment,
  segmentSlots,
  writeCandidates,
} from '../search/segment.ts';
import { hasRow } from './id-table.ts';
import { compareRows, type ItemRow, isAfter, type SortBy } from './item-row.ts';
import { type ListFilter, labelsOf, listOf, type ReadModel } from './read-model.ts';
import { type RowSpan, visitSpan } from './sorted-list.ts';

export type RowSearch = ListFilter & { readonly q: TextQuery };

export type RowRange = {
  readonly span: RowSpan;
  readonly count: number;
};

// Sorting this number takes 0.1 ms. Walking past all rows takes 1 to 2 ms.
const fewMax = 2_000;
const timeMax = 2 ** 33;

// Reused by each search, because new buffers hasten collections of all objects.
let columns = new Int32Array(0);
const keys = new Float64Array(fewMax);

export function searchRows(
  model: ReadModel,
  search: RowSearch,
  range: RowRange,
): readonly ItemRow[] {
  const [gramRows, labels] = [rowsOf(search.q), labelsOf(search)];
  const size = model.segments.length * rowWords;
  if (columns.length < size) columns = new Int32Array(2 * size);
  let count = 0;
  for (const [index, { segment }] of model.segments.entries()) {
    count += writeCandidates(segment, gramRows, labels, columnsAt(index));
  }
  return count <= fewMax
    ? sortCandidates(model, search, range)
    : searchInOrder(model, search, range);
}

const columnsAt = (index: number) => columns.subarray(index * rowWords, (index + 1) * rowWords);

function sortCandidates(
  model: ReadModel,
  search: RowSearch,
  { span, count }: RowRange,
): readonly ItemRow[] {
  const { by, q } = search;
  const found: ItemRow[] = [];
  for (const row of candidatesInOrder(model, by, span)) {
    // A slot may refer to an earlier version of an item, or to an item of a later read model.
    if (!matchesParts(row.text, q.parts) || !hasRow(model.table, row)) continue;
    if (found.push(row) === count) break;
  }
  return found;
}

/** A number for each candidate, its time and its slot, is sorted without reading rows. */
function* candidatesInOrder(
  { segments }: ReadModel,
  by: SortBy,
  { anchor, cutoff }: RowSpan,
): Generator<ItemRow> {
  const slots = segments.length * segmentSlots;
  const latest = anchor?.at ?? Number.POSITIVE_INFINITY;
  let count = 0;
  for (const [index, { segment }] of segments.entries()) {
    const times = by === 'timeline' ? segment.timelineAt : segment.publishedAt;
    const from = index * rowWords;
    for (let at = 0; at < rowWords; at++) {
      let remaining = columns[from + at] ?? 0;
      for (; remaining !== 0; remaining &= remaining - 1) {
        const slot = at * 32 + 31 - Math.clz32(remaining & -remaining);
        const time = times[slot] ?? 0;
        if (time < cutoff || time > latest) continue;
        const sinceCutoff = Math.min(Math.floor(time - cutoff), timeMax);
        keys[count++] = sinceCutoff * slots + index * segmentSlots + slot;
      }
    }
  }
  const sorted = keys.subarray(0, count).sort();
  const rowAt = (position: number): ItemRow => {
    const slot = (sorted[position] ?? 0) % slots;
    const row = segments[Math.floor(slot / segmentSlots)]?.segment.entries[slot % segmentSlots];
    return row as ItemRow;
  };
  const timeAt = (position: number) => Math.floor((sorted[position] ?? -1) / slots);
  for (let end = count; end > 0; ) {
    let start = end - 1;
    while (start > 0 && timeAt(start - 1) === timeAt(end - 1)) start--;
    const rows = Array.from({ length: end - start }, (_, n) => rowAt(start + n));
    if (rows.length > 1) rows.sort((a, b) => compareRows(by, a, b));
    for (const row of rows) if (anchor === null || isAfter(by, row, anchor)) yield row;
    end = start;
  }
}

function searchInOrder(
  model: ReadModel,
  search: RowSearch,
  { span, count }: RowRange,
): readonly ItemRow[] {
  const rows: ItemRow[] = [];
  const bySegment = new Map(
    model.segments.map(({ segment }, index) => [segment, columnsAt(index)]),
  );
  // Consecutive rows mostly share a segment.
  let segment: SearchSegment<ItemRow> | null = null;
  let inSegment: Int32Array | undefined;
  visitSpan(listOf(model, search), span, (row) => {
    if (row.segment !== segment) {
      segment = row.segment;
      inSegment = bySegment.get(segment);
    }
    if (inSegment === undefined || !hasSlot(inSegment, row.slot)) return true;
    return !matchesParts(row.text, search.q.parts) || rows.push(row) < count;
  });
  return rows;
}
