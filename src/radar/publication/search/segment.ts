// The search signature of up to 8,192 texts: rows of bits for grams, one column per text. The
// candidates of a query are the columns set in all of its rows. A few candidates do not match.
// Slots are never reused, so read models can share a segment.
import { assert } from '../../../kernel/errors/assert.ts';
import { firstRowOf, gramsIn, rowCount, secondRowOf } from './grams.ts';
import type { TextQuery } from './query.ts';

export const segmentSlots = 8192;
/** Words of 32 bits in a row. */
export const rowWords = segmentSlots / 32;

/** The properties of an entry that a search reads without the entry. */
export type SlotFields = {
  readonly timelineAt: number;
  readonly publishedAt: number;
  /** A search can require some of them. */
  readonly labels: readonly string[];
};

/** The times of all slots, and their bounds. */
export type SlotTimes = { readonly at: Float64Array; newest: number; oldest: number };

export type SearchSegment<Entry> = {
  /** 4 MB, outside of the JavaScript heap. */
  readonly bits: Int32Array;
  /** A row of bits per label. */
  readonly labels: Map<string, Int32Array>;
  readonly times: { readonly timeline: SlotTimes; readonly published: SlotTimes };
  /** The item in each slot. */
  readonly entries: Entry[];
};

export function emptySegment<Entry>(): SearchSegment<Entry> {
  return {
    bits: new Int32Array(rowCount * rowWords),
    labels: new Map(),
    times: { timeline: emptyTimes(), published: emptyTimes() },
    entries: [],
  };
}

function emptyTimes(): SlotTimes {
  return {
    at: new Float64Array(segmentSlots),
    newest: Number.NEGATIVE_INFINITY,
    oldest: Number.POSITIVE_INFINITY,
  };
}

export function isFull(segment: SearchSegment<unknown>): boolean {
  return segment.entries.length === segmentSlots;
}

/** Adds an entry with its folded text. */
export function addTo<Entry>(
  segment: SearchSegment<Entry>,
  entry: Entry,
  text: string,
  { timelineAt, publishedAt, labels }: SlotFields,
): void {
  assert(!isFull(segment), 'a full segment accepts no entry');
  const slot = segment.entries.push(entry) - 1;
  const { bits } = segment;
  const column = slot >>> 5;
  const bit = 1 << (slot & 31);
  for (const gram of gramsIn(text, 'stored', true)) {
    const first = firstRowOf(gram) * rowWords + column;
    bits[first] = (bits[first] ?? 0) | bit;
    const second = secondRowOf(gram) * rowWords + column;
    bits[second] = (bits[second] ?? 0) | bit;
  }
  putTime(segment.times.timeline, slot, timelineAt);
  putTime(segment.times.published, slot, publishedAt);
  for (const label of labels) {
    const row = segment.labels.get(label) ?? new Int32Array(rowWords);
    segment.labels.set(label, row);
    row[column] = (row[column] ?? 0) | bit;
  }
}

function putTime(times: SlotTimes, slot: number, time: number): void {
  times.at[slot] = time;
  times.newest = Math.max(times.newest, time);
  times.oldest = Math.min(times.oldest, time);
}

/** The rows that a text must have to match, each once. */
export function rowsOf(query: TextQuery): readonly number[] {
  const rows = new Set<number>();
  for (const { text, matchesInsideWords } of query.parts) {
    for (const gram of gramsIn(text, 'wanted', !matchesInsideWords))
      rows.add(firstRowOf(gram)).add(secondRowOf(gram));
  }
  // The last grams of a part are the rarest.
  return [...rows].reverse();
}

/**
 * Writes the slots that have all rows and labels to `columns`, one bit per slot.
 */
export function writeCandidates(
  { bits, labels, entries }: SearchSegment<unknown>,
  rows: readonly number[],
  wantedLabels: readonly string[],
  columns: Int32Array,
): void {
  const used = (entries.length + 31) >>> 5;
  columns.fill(0);
  columns.fill(-1, 0, used);
  const partial = entries.length & 31;
  if (partial !== 0) columns[used - 1] = (1 << partial) - 1;
  for (const label of wantedLabels) {
    const row = labels.get(label);
    if (row === undefined) {
      columns.fill(0);
      return;
    }
    for (let i = 0; i < used; i++) columns[i] = (columns[i] ?? 0) & (row[i] ?? 0);
  }
  for (const row of rows) {
    const from = row * rowWords;
    let leftEnd = 0;
    for (let i = 0; i < used; i++) {
      const remaining = (columns[i] ?? 0) & (bits[from + i] ?? 0);
      columns[i] = remaining;
      leftEnd |= remaining;
    }
    if (leftEnd === 0) return;
  }
}
