// The search signature of up to 8,192 texts: one row of bits per gram, one column per text. The
// candidates of a query are the columns set in all of its rows. A few candidates do not match.
// Slots are never reused, so read models can share a segment.
import { assert } from '../../../kernel/errors/assert.ts';
import { gramCount, gramsIn } from './grams.ts';
import type { TextQuery } from './query.ts';

export const segmentSlots = 8192;
const rowWords = segmentSlots / 32;

export type SearchSegment<Entry> = {
  /** 4 MB, outside of the JavaScript heap. */
  readonly bits: Int32Array;
  /** The item in each slot. */
  readonly entries: Entry[];
};

export function emptySegment<Entry>(): SearchSegment<Entry> {
  return { bits: new Int32Array(gramCount * rowWords), entries: [] };
}

export function isFull(segment: SearchSegment<unknown>): boolean {
  return segment.entries.length === segmentSlots;
}

/** Adds an entry with its folded text. */
export function addTo<Entry>(segment: SearchSegment<Entry>, text: string, entry: Entry): void {
  assert(!isFull(segment), 'a full segment accepts no entry');
  const slot = segment.entries.push(entry) - 1;
  const bits = segment.bits;
  const column = slot >>> 5;
  const bit = 1 << (slot & 31);
  for (const gram of gramsIn(text, true)) {
    const at = gram * rowWords + column;
    bits[at] = (bits[at] ?? 0) | bit;
  }
}

/** The grams that a text must have to match, each once. */
export function gramsOf(query: TextQuery): readonly number[] {
  const grams = new Set<number>();
  for (const { text, isAnywhere } of query.parts) {
    for (const gram of gramsIn(text, !isAnywhere)) grams.add(gram);
  }
  return [...grams];
}

export type Candidates = {
  /** One bit per slot. */
  readonly columns: Int32Array;
  readonly count: number;
};

/** The slots that may match a query with these grams. */
export function candidatesIn(
  segment: SearchSegment<unknown>,
  grams: readonly number[],
): Candidates {
  const columns = new Int32Array(rowWords).fill(-1);
  const used = (segment.entries.length + 31) >>> 5;
  for (const gram of grams) {
    const row = gram * rowWords;
    for (let i = 0; i < used; i++) columns[i] = (columns[i] ?? 0) & (segment.bits[row + i] ?? 0);
  }
  clearFrom(columns, segment.entries.length);
  return { columns, count: bitsIn(columns) };
}

export function hasSlot(candidates: Candidates, slot: number): boolean {
  return (((candidates.columns[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1;
}

function clearFrom(columns: Int32Array, slot: number): void {
  const partial = slot & 31;
  let at = slot >>> 5;
  if (partial !== 0) {
    columns[at] = (columns[at] ?? 0) & ((1 << partial) - 1);
    at++;
  }
  columns.fill(0, at);
}

function bitsIn(columns: Int32Array): number {
  let count = 0;
  for (const word of columns) {
    let remaining = word;
    for (; remaining !== 0; remaining &= remaining - 1) count++;
  }
  return count;
}
