// The index of all live items: features, items by term, and the current rarity of each term.

import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { ItemFeatures } from '../text/extract-features.ts';
import { packFeatures, type StoredFeatures, unpackFeatures } from './feature-codec.ts';
import {
  type FeatureSection,
  type FeatureStore,
  openFeatureStore,
  sectionAt,
  sections,
  termOf,
} from './feature-store.ts';
import { growTypedArray } from './grow-typed-array.ts';
import { type IndexedTerms, openIndexedTerms } from './indexed-terms.ts';
import { listTerms } from './list-terms.ts';
import { openPostings } from './postings.ts';
import { openSparseCounter, type SparseCounter } from './sparse-counter.ts';
import { openTermWeights, type TermWeights } from './term-weights.ts';
import { openTerms, type TermSettings } from './terms.ts';
import { openTopK, type TopK } from './top-k.ts';

export type TermIndex = {
  readonly store: FeatureStore;
  readonly counter: SparseCounter;
  /** For terms by rarity, and for items in the same language and in another language. */
  readonly rankings: { readonly rarest: TopK; readonly own: TopK; readonly others: TopK };
  readonly weights: TermWeights;
  readonly size: number;
  /** Stores an item and returns its slot. It is not found until `publish`. */
  add(features: ItemFeatures, timeMs: number | null): number;
  /** Stores an item from the bytes of `pack`; null when they cannot be read. */
  addPacked(bytes: Uint8Array, timeMs: number | null): number | null;
  /** The item's features as bytes. */
  pack(slot: number): Uint8Array;
  /** From now on searches find the item, and its words count. */
  publish(slot: number): void;
  /** Equal numbers for items in one language. */
  language(slot: number): number;
  /** Equal numbers for items of one source; 0 for an unknown source. */
  source(slot: number): number;
  /** The item is a list of several events. */
  isRoundup(slot: number): boolean;
  /** The item has one word and no text. */
  isVague(slot: number): boolean;
  /** The item has no terms to compare. */
  isEmpty(slot: number): boolean;
  /** The title is written in ideographs. */
  isHan(slot: number): boolean;
  hasText(slot: number): boolean;
  timeMs(slot: number): number | null;
  /** Null when one of the items has no time. */
  gapDays(a: number, b: number): number | null;
  /** Similarity of the item to reports of other events; see scoring/match-scorer.ts. */
  noise(slot: number): number;
  setNoise(slot: number, value: number): void;
  readonly weight: (term: number) => number;
  /** The term's share of running words in general language, 0 for an unlisted term. */
  readonly backgroundShare: (term: number) => number;
  terms(slot: number, section: FeatureSection): Int32Array;
  /** The terms under which the item is found; the result is valid until the next call. */
  readonly indexedTerms: IndexedTerms;
  /** Keeps only the slots of `kept` (ascending) and renumbers them from 0 in this order. */
  compact(liveSlots: readonly number[]): void;
};

/** Terms of a lower weight, in more than an eighth of the documents, are not indexed. */
const minIndexed = 2;

export function openTermIndex(share: (term: string) => number, settings: TermSettings): TermIndex {
  const terms = openTerms(share, settings);
  const store = openFeatureStore();
  const postings = openPostings();
  const facts = openFacts();
  const weights = openTermWeights(terms, store);
  const indexedTerms = openIndexedTerms(store);

  const list = (slot: number, section: FeatureSection) => {
    const at = sectionAt[section];
    return store.block().subarray(store.start(slot, at), store.end(slot, at));
  };
  const index = (slot: number): void => {
    for (const term of indexedTerms(slot)) {
      if (weights.of(term) >= minIndexed) postings.add(term, slot);
    }
  };
  const setKeys = (slot: number): void => {
    const source = list(slot, 'source')[0];
    // A hash stays valid after compacting, unlike the number of a term.
    const sourceHash = source === undefined ? 0 : terms.known(source)[0];
    facts.setKeys(slot, list(slot, 'language')[0] ?? 0, sourceHash);
  };
  const putFeatures = (
    lists: StoredFeatures['lists'],
    mark: number,
    timeMs: number | null,
  ): number => {
    const slot = store.add(lists);
    facts.put(slot, mark, timeMs);
    setKeys(slot);
    return slot;
  };
  return {
    store,
    counter: openSparseCounter(postings),
    rankings: { rarest: openTopK(), own: openTopK(), others: openTopK() },
    indexedTerms,
    get size() {
      return store.size;
    },
    add: (features, timeMs) => putFeatures(listTerms(features, terms), marksOf(features), timeMs),
    addPacked(bytes, timeMs) {
      const features = unpackFeatures(bytes, terms);
      return features === null ? null : putFeatures(features.lists, features.marks, timeMs);
    },
    pack(slot) {
      const lists = {} as Record<FeatureSection, readonly number[]>;
      for (const name of sections) lists[name] = [...list(slot, name)];
      return packFeatures({ marks: facts.marks(slot), lists }, terms);
    },
    publish(slot) {
      terms.count(indexedTerms(slot), list(slot, 'doc').length);
      weights.tick();
      index(slot);
    },
    language: facts.language,
    source: facts.source,
    isHan: facts.isHan,
    hasText: facts.hasText,
    isRoundup: facts.isRoundup,
    isVague: facts.isVague,
    isEmpty: facts.isEmpty,
    timeMs: facts.timeMs,
    gapDays: facts.gapDays,
    noise: facts.noise,
    setNoise: facts.setNoise,
    weights,
    weight: weights.of,
    backgroundShare: terms.backgroundShare,
    terms: list,
    compact(liveItems) {
      const renamed = terms.compact(usedTerms(terms.size, liveItems, list));
      store.compact(liveItems, (term) => renamed[term] ?? 0);
      facts.compact(liveItems);
      weights.renew();
      postings.clear();
      for (let slot = 0; slot < liveItems.length; slot += 1) {
        setKeys(slot);
        index(slot);
      }
    },
  };
}

// Flags of an item, one bit each.
const [han, withText, roundup, empty, vague] = [1, 2, 4, 8, 16];
function marksOf(item: ItemFeatures): number {
  const isEmpty = item.title.length + item.doc.size === 0;
  return (
    (item.isHan ? han : 0) +
    (item.hasText ? withText : 0) +
    (item.isRoundup ? roundup : 0) +
    (isEmpty ? empty : 0) +
    (item.isVague ? vague : 0)
  );
}

/** An item's time, flags, noise, language and source, by slot. */
function openFacts() {
  let times = new Float64Array(1 << 10);
  let noises = new Float32Array(1 << 10);
  let marks = new Uint8Array(1 << 10);
  // A search compares the languages and sources of thousands of items, so these are dense.
  let languages = new Int32Array(1 << 10);
  let sources = new Int32Array(1 << 10);
  // The noise of restored items that were not compared yet is the mean of the measured ones.
  let [expectedCount, measuredCount] = [0, 0];
  const has = (slot: number, mark: number) => ((marks[slot] ?? 0) & mark) !== 0;
  return {
    put(slot: number, mark: number, timeMs: number | null): void {
      if (slot >= times.length) {
        [times, marks] = [growTypedArray(times, slot + 1), growTypedArray(marks, slot + 1)];
        noises = growTypedArray(noises, slot + 1);
        languages = growTypedArray(languages, slot + 1);
        sources = growTypedArray(sources, slot + 1);
      }
      times[slot] = timeMs ?? Number.NaN;
      marks[slot] = mark;
      noises[slot] = Number.NaN;
    },
    marks: (slot: number) => marks[slot] ?? 0,
    language: (slot: number) => languages[slot] ?? 0,
    source: (slot: number) => sources[slot] ?? 0,
    setKeys(slot: number, language: number, source: number): void {
      languages[slot] = language;
      sources[slot] = source;
    },
    isHan: (slot: number) => has(slot, han),
    hasText: (slot: number) => has(slot, withText),
    isRoundup: (slot: number) => has(slot, roundup),
    isEmpty: (slot: number) => has(slot, empty),
    isVague: (slot: number) => has(slot, vague),
    noise(slot: number): number {
      const cachedNoise = noises[slot] ?? Number.NaN;
      return Number.isNaN(cachedNoise) ? expectedCount : cachedNoise;
    },
    setNoise(slot: number, value: number): void {
      noises[slot] = value;
      measuredCount += 1;
      expectedCount += (value - expectedCount) / Math.min(1000, measuredCount);
    },
    timeMs(slot: number): number | null {
      const time = times[slot] ?? Number.NaN;
      return Number.isNaN(time) ? null : time;
    },
    gapDays(a: number, b: number): number | null {
      const gap = Math.abs((times[a] ?? Number.NaN) - (times[b] ?? Number.NaN));
      return Number.isNaN(gap) ? null : gap / DAY_MS;
    },
    compact(liveItems: readonly number[]): void {
      liveItems.forEach((slot, to) => {
        times[to] = times[slot] ?? Number.NaN;
        marks[to] = marks[slot] ?? 0;
        noises[to] = noises[slot] ?? Number.NaN;
      });
    },
  };
}

/** 1 for each term that an item of `kept` contains. */
function usedTerms(
  size: number,
  liveItems: readonly number[],
  list: (slot: number, section: FeatureSection) => Int32Array,
): Uint8Array {
  const isUsed = new Uint8Array(size);
  for (const slot of liveItems) {
    for (const name of sections) {
      for (const entry of list(slot, name)) isUsed[name === 'doc' ? termOf(entry) : entry] = 1;
    }
  }
  return isUsed;
}
