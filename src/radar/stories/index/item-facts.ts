// Stores each item's time, flags, noise, language and source by slot.

import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { ItemFeatures } from '../text/extract-features.ts';
import { growTypedArray } from './grow-typed-array.ts';

// Flags of an item, one bit each.
const [han, roundup, empty, vague] = [1, 2, 4, 8];

export function flagsOf(item: ItemFeatures): number {
  const isEmpty = item.title.length + item.doc.size === 0;
  return (
    (item.isHan ? han : 0) +
    (item.isRoundup ? roundup : 0) +
    (isEmpty ? empty : 0) +
    (item.isVague ? vague : 0)
  );
}

export function openItemFacts() {
  let times = new Float64Array(1 << 10);
  let noises = new Float32Array(1 << 10);
  let flags = new Uint8Array(1 << 10);
  // A search compares the languages and sources of thousands of items, so these values have arrays
  // of their own.
  let languages = new Int32Array(1 << 10);
  let sources = new Int32Array(1 << 10);
  // The noise of restored items that were not compared yet is the mean noise of the measured items.
  let [meanNoise, measuredCount] = [0, 0];
  const has = (slot: number, flag: number) => ((flags[slot] ?? 0) & flag) !== 0;
  return {
    put(slot: number, itemFlags: number, timeMs: number | null): void {
      if (slot >= times.length) {
        [times, flags] = [growTypedArray(times, slot + 1), growTypedArray(flags, slot + 1)];
        noises = growTypedArray(noises, slot + 1);
        languages = growTypedArray(languages, slot + 1);
        sources = growTypedArray(sources, slot + 1);
      }
      times[slot] = timeMs ?? Number.NaN;
      flags[slot] = itemFlags;
      noises[slot] = Number.NaN;
    },
    flags: (slot: number) => flags[slot] ?? 0,
    /** Equal numbers for items in one language. */
    language: (slot: number) => languages[slot] ?? 0,
    /** Equal numbers for items of one source; 0 for an unknown source. */
    source: (slot: number) => sources[slot] ?? 0,
    setKeys(slot: number, language: number, source: number): void {
      languages[slot] = language;
      sources[slot] = source;
    },
    /** The title is written in ideographs. */
    isHan: (slot: number) => has(slot, han),
    /** The item is a list of several events. */
    isRoundup: (slot: number) => has(slot, roundup),
    /** The item has no terms to compare. */
    isEmpty: (slot: number) => has(slot, empty),
    /** The item has one word and no text. */
    isVague: (slot: number) => has(slot, vague),
    /**
     * Similarity of the item to reports of other events; it is measured in scoring/match-scorer.ts.
     */
    noise(slot: number): number {
      const cachedNoise = noises[slot] ?? Number.NaN;
      return Number.isNaN(cachedNoise) ? meanNoise : cachedNoise;
    },
    setNoise(slot: number, value: number): void {
      noises[slot] = value;
      measuredCount += 1;
      meanNoise += (value - meanNoise) / Math.min(1000, measuredCount);
    },
    timeMs(slot: number): number | null {
      const time = times[slot] ?? Number.NaN;
      return Number.isNaN(time) ? null : time;
    },
    /** Null when one of the items has no time. */
    gapDays(a: number, b: number): number | null {
      const gap = Math.abs((times[a] ?? Number.NaN) - (times[b] ?? Number.NaN));
      return Number.isNaN(gap) ? null : gap / DAY_MS;
    },
    compact(liveItems: readonly number[]): void {
      liveItems.forEach((slot, to) => {
        times[to] = times[slot] ?? Number.NaN;
        flags[to] = flags[slot] ?? 0;
        noises[to] = noises[slot] ?? Number.NaN;
      });
    },
  };
}
