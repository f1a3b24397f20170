// The rows that match a search, in their order, as many as are wanted. The signature names
// candidates; few are put in order first, many are met in order. Either way each one is compared
// with its text before it counts.
import { matchesParts } from '../search/match.ts';
import type { SearchQuery } from '../search/query.ts';
import {
  type Candidates,
  candidatesIn,
  gramsOf,
  hasSlot,
  type Segment,
} from '../search/segment.ts';
import { hasRow } from './id-table.ts';
import { compareRows, isAfter, type Row, sortAtOf } from './item-row.ts';
import { type Edition, isListed, type ListFilter, listOf } from './read-model.ts';
import { type Span, visitSpan } from './sorted-list.ts';

export type RowSearch = ListFilter & { readonly q: SearchQuery };

export type Wanted = {
  readonly span: Span;
  readonly count: number;
};

type SegmentCandidates = ReadonlyMap<Segment<Row>, Candidates>;

// Putting this many in order takes about as long as walking past 100,000 rows: a millisecond.
const fewMax = 2000;

export function searchRows(edition: Edition, search: RowSearch, wanted: Wanted): readonly Row[] {
  const grams = gramsOf(search.q);
  const candidates = new Map(
    edition.segments.map(({ segment }) => [segment, candidatesIn(segment, grams)]),
  );
  let count = 0;
  for (const one of candidates.values()) count += one.count;
  if (count <= fewMax) return fewInOrder(edition, search, wanted, candidates);
  return metInOrder(edition, search, wanted, candidates);
}

function fewInOrder(
  edition: Edition,
  search: RowSearch,
  { span: { anchor, cutoff }, count }: Wanted,
  candidates: SegmentCandidates,
): readonly Row[] {
  const { by, q } = search;
  const rows: Row[] = [];
  for (const [segment, { columns }] of candidates) {
    for (const [index, column] of columns.entries()) {
      for (let rest = column; rest !== 0; rest &= rest - 1) {
        const row = segment.entries[index * 32 + 31 - Math.clz32(rest & -rest)];
        if (row === undefined || sortAtOf(by, row.item) < cutoff) continue;
        if (!isListed(row.item, search)) continue;
        if (anchor !== null && !isAfter(by, row, anchor)) continue;
        // A slot may hold an earlier item, or one of a later read model only.
        if (hasRow(edition.table, row)) rows.push(row);
      }
    }
  }
  rows.sort((a, b) => compareRows(by, a, b));
  const found: Row[] = [];
  for (const row of rows) {
    if (matchesParts(row.text, q.parts) && found.push(row) === count) break;
  }
  return found;
}

function metInOrder(
  edition: Edition,
  search: RowSearch,
  { span, count }: Wanted,
  candidates: SegmentCandidates,
): readonly Row[] {
  const found: Row[] = [];
  // Neighbours mostly share a segment.
  let segment: Segment<Row> | null = null;
  let inSegment: Candidates | undefined;
  visitSpan(listOf(edition, search), span, (row) => {
    if (row.segment !== segment) {
      segment = row.segment;
      inSegment = candidates.get(segment);
    }
    if (inSegment === undefined || !hasSlot(inSegment, row.slot)) return true;
    return !matchesParts(row.text, search.q.parts) || found.push(row) < count;
  });
  return found;
}
