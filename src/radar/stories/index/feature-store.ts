// Stores the features of every live item as integers in one growing block of memory. Each section
// is sorted, so that two items are compared by merging. 100,000 items take tens of megabytes;
// separate arrays took hundreds.
import { growTypedArray } from './grow-typed-array.ts';

export const sections = [
  'language',
  'title',
  'doc',
  'concepts',
  'entities',
  'opener',
  'issueNumbers',
  'families',
  'versions',
  'source',
  'links',
] as const;
export type FeatureSection = (typeof sections)[number];

export const sectionAt = Object.fromEntries(
  sections.map((name, index) => [name, index]),
) as Readonly<Record<FeatureSection, number>>;

const header = sections.length + 1;

/** Maximum frequency of a term in a text; a greater frequency counts as this value. */
export const maxTimes = 7;
/** Added to the frequency in the text when the term occurs in the title. */
export const inTitle = maxTimes + 1;
/**
 * An entry is a term with its frequency in the four low bits. The frequency is always 1 outside of
 * the section `doc`, where it includes `inTitle`.
 */
export const packEntry = (term: number, frequency: number) => term * 16 + frequency;
export const termOf = (entry: number) => entry >> 4;
export const frequencyOf = (entry: number) => entry & 15;
/** Without shifts, because comparisons of two items spend most of their time here. */
export const areOfOneTerm = (entry: number, other: number) => (entry ^ other) < 16;

export type FeatureStore = ReturnType<typeof openFeatureStore>;

export function openFeatureStore() {
  let block = new Int32Array(1 << 16);
  let offsets = new Int32Array(1 << 10);
  let size = 0;
  let usedLength = 0;
  return {
    get size(): number {
      return size;
    },
    /** Adds an item and returns its slot. Each list holds distinct numbers, in any order. */
    add(lists: Readonly<Record<FeatureSection, readonly number[]>>): number {
      const total = sections.reduce((sum, name) => sum + lists[name].length, header);
      if (usedLength + total > block.length) block = growTypedArray(block, usedLength + total);
      if (size >= offsets.length) offsets = growTypedArray(offsets, size + 1);
      offsets[size] = usedLength;
      let at = usedLength + header;
      for (let section = 0; section < sections.length; section += 1) {
        block[usedLength + section] = at;
        const list = lists[sections[section] ?? 'title'];
        block.set(list, at);
        block.subarray(at, at + list.length).sort();
        at += list.length;
      }
      block[usedLength + sections.length] = at;
      usedLength = at;
      size += 1;
      return size - 1;
    },
    /** All sections of all items, read-only; `start` and `end` are positions in it. */
    block: (): Int32Array => block,
    /**
     * Position of an item in the block: `block[base + n]` is the start of section n, and
     * `block[base + n + 1]` is its end.
     */
    base: (slot: number) => offsets[slot] ?? 0,
    start: (slot: number, section: number) => block[(offsets[slot] ?? 0) + section] ?? 0,
    end: (slot: number, section: number) => block[(offsets[slot] ?? 0) + section + 1] ?? 0,
    /**
     * Keeps only these slots (ascending) and renumbers them from 0. `rename` keeps the order of
     * terms.
     */
    compact(liveItems: readonly number[], rename: (term: number) => number): void {
      const lengthOf = (slot: number) =>
        (block[(offsets[slot] ?? 0) + sections.length] ?? 0) - (offsets[slot] ?? 0);
      const total = liveItems.reduce((sum, slot) => sum + lengthOf(slot), 0);
      const movedValues = new Int32Array(Math.max(1 << 16, total));
      const movedOffsets = new Int32Array(Math.max(1 << 10, liveItems.length));
      usedLength = 0;
      liveItems.forEach((slot, to) => {
        const from = offsets[slot] ?? 0;
        const length = lengthOf(slot);
        for (let head = 0; head < header; head += 1) {
          movedValues[usedLength + head] = (block[from + head] ?? 0) - from + usedLength;
        }
        for (let at = from + header; at < from + length; at += 1) {
          const entry = block[at] ?? 0;
          movedValues[usedLength + at - from] = packEntry(
            rename(termOf(entry)),
            frequencyOf(entry),
          );
        }
        movedOffsets[to] = usedLength;
        usedLength += length;
      });
      [block, offsets, size] = [movedValues, movedOffsets, liveItems.length];
    },
  };
}
