// The search signature of up to 8,192 texts: rows of bits for grams, one column per text. The
// candidates of a query are the columns set in all of its rows. A few candidates do not match.
// Slots are never reused, so read models can share a segment.
import { assert } from '../../../kernel/errors/assert.ts';
import { findGrams, firstRowOf, ROW_COUNT, secondRowOf } from './grams.ts';
import type { TextQuery } from './query.ts';

export const SEGMENT_SLOTS = 8192;
/** Words of 32 bits in a row. */
export const ROW_WORDS = SEGMENT_SLOTS / 32;

/** The properties of an entry that a search reads without the entry. */
export type SlotFields = {
  readonly timelineAt: number;
  readonly publishedAt: number;
  /** Properties that a search can require, such as a category. */
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
  /** The entry in each slot. */
  readonly entries: Entry[];
};

export function emptySegment<Entry>(): SearchSegment<Entry> {
  return {
    bits: new Int32Array(ROW_COUNT * ROW_WORDS),
    labels: new Map(),
    times: { timeline: emptyTimes(), published: emptyTimes() },
    entries: [],
  };
}

function emptyTimes(): SlotTimes {
  return {
    at: new Float64Array(SEGMENT_SLOTS),
    newest: Number.NEGATIVE_INFINITY,
    oldest: Number.POSITIVE_INFINITY,
  };
}

export function isFull(segment: SearchSegment<unknown>): boolean {
  return segment.entries.length === SEGMENT_SLOTS;
}

/** Adds an entry with its folded text. */
export function addToSegment<Entry>(
  segment: SearchSegment<Entry>,
  entry: Entry,
  text: string,
  { timelineAt, publishedAt, labels }: SlotFields,
): void {
  assert(!isFull(segment), 'the segment is full');
  const slot = segment.entries.push(entry) - 1;
  const { bits } = segment;
  // The word and the bit of the slot in each row.
  const column = slot >>> 5;
  const bit = 1 << (slot & 31);
  for (const gram of findGrams(text, 'stored', true)) {
    const firstIndex = firstRowOf(gram) * ROW_WORDS + column;
    bits[firstIndex] = (bits[firstIndex] ?? 0) | bit;
    const secondIndex = secondRowOf(gram) * ROW_WORDS + column;
    bits[secondIndex] = (bits[secondIndex] ?? 0) | bit;
  }
  setTime(segment.times.timeline, slot, timelineAt);
  setTime(segment.times.published, slot, publishedAt);
  for (const label of labels) {
    const row = segment.labels.get(label) ?? new Int32Array(ROW_WORDS);
    segment.labels.set(label, row);
    row[column] = (row[column] ?? 0) | bit;
  }
}

function setTime(times: SlotTimes, slot: number, time: number): void {
  times.at[slot] = time;
  times.newest = Math.max(times.newest, time);
  times.oldest = Math.min(times.oldest, time);
}

/** Returns the distinct rows that a matching text must have. */
export function rowsOf(query: TextQuery): readonly number[] {
  const rows = new Set<number>();
  for (const { text, matchesInsideWords } of query.parts) {
    for (const gram of findGrams(text, 'wanted', !matchesInsideWords))
      rows.add(firstRowOf(gram)).add(secondRowOf(gram));
  }
  // The last grams of a part are the rarest, so their rows exclude most texts.
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
  const usedWords = (entries.length + 31) >>> 5;
  // At first, every slot with an entry is a candidate.
  columns.fill(0);
  columns.fill(-1, 0, usedWords);
  const bitsInLastWord = entries.length & 31;
  if (bitsInLastWord !== 0) columns[usedWords - 1] = (1 << bitsInLastWord) - 1;
  for (const label of wantedLabels) {
    const row = labels.get(label);
    if (row === undefined) {
      columns.fill(0);
      return;
    }
    for (let i = 0; i < usedWords; i++) columns[i] = (columns[i] ?? 0) & (row[i] ?? 0);
  }
  for (const row of rows) {
    const from = row * ROW_WORDS;
    let foundBits = 0;
    for (let i = 0; i < usedWords; i++) {
      const remaining = (columns[i] ?? 0) & (bits[from + i] ?? 0);
      columns[i] = remaining;
      foundBits |= remaining;
    }
    if (foundBits === 0) return;
  }
}
