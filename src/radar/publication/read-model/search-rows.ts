// The first rows that match a search. The signature yields candidates. Few candidates are sorted
// first; many are met by walking the list in order. Each candidate is verified against its text.
import { matchesParts } from '../search/match.ts';
import type { TextQuery } from '../search/query.ts';
import {
  type Candidates,
  candidatesIn,
  gramsOf,
  hasSlot,
  type SearchSegment,
} from '../search/segment.ts';
import { hasRow } from './id-table.ts';
import { compareRows, type ItemRow, isAfter, sortAtOf } from './item-row.ts';
import { isListed, type ListFilter, listOf, type ReadModel } from './read-model.ts';
import { type RowSpan, visitSpan } from './sorted-list.ts';

export type RowSearch = ListFilter & { readonly q: TextQuery };

export type RowRange = {
  readonly span: RowSpan;
  readonly count: number;
};

type SegmentCandidates = ReadonlyMap<SearchSegment<ItemRow>, Candidates>;

// Sorting this number takes about as long as walking past 100,000 rows: a millisecond.
const fewMax = 2000;

export function searchRows(
  model: ReadModel,
  search: RowSearch,
  range: RowRange,
): readonly ItemRow[] {
  const grams = gramsOf(search.q);
  const candidates = new Map(
    model.segments.map(({ segment }) => [segment, candidatesIn(segment, grams)]),
  );
  let count = 0;
  for (const candidate of candidates.values()) count += candidate.count;
  if (count <= fewMax) return sortCandidates(model, search, range, candidates);
  return searchInOrder(model, search, range, candidates);
}

function sortCandidates(
  model: ReadModel,
  search: RowSearch,
  { span: { anchor, cutoff }, count }: RowRange,
  candidates: SegmentCandidates,
): readonly ItemRow[] {
  const { by, q } = search;
  const rows: ItemRow[] = [];
  for (const [segment, { columns }] of candidates) {
    for (const [index, column] of columns.entries()) {
      for (let remainingBits = column; remainingBits !== 0; remainingBits &= remainingBits - 1) {
        const row = segment.entries[index * 32 + 31 - Math.clz32(remainingBits & -remainingBits)];
        if (row === undefined || sortAtOf(by, row.item) < cutoff) continue;
        if (!isListed(row.item, search)) continue;
        if (anchor !== null && !isAfter(by, row, anchor)) continue;
        // A slot may refer to an earlier version of an item, or to an item of a later read model.
        if (hasRow(model.table, row)) rows.push(row);
      }
    }
  }
  rows.sort((a, b) => compareRows(by, a, b));
  const found: ItemRow[] = [];
  for (const row of rows) {
    if (matchesParts(row.text, q.parts) && found.push(row) === count) break;
  }
  return found;
}

function searchInOrder(
  model: ReadModel,
  search: RowSearch,
  { span, count }: RowRange,
  candidates: SegmentCandidates,
): readonly ItemRow[] {
  const rows: ItemRow[] = [];
  // Consecutive rows mostly share a segment.
  let segment: SearchSegment<ItemRow> | null = null;
  let inSegment: Candidates | undefined;
  visitSpan(listOf(model, search), span, (row) => {
    if (row.segment !== segment) {
      segment = row.segment;
      inSegment = candidates.get(segment);
    }
    if (inSegment === undefined || !hasSlot(inSegment, row.slot)) return true;
    return !matchesParts(row.text, search.q.parts) || rows.push(row) < count;
  });
  return rows;
}
