// Everything the engine knows of the live items: their views, which items have which term, and how
// telling each term is now.

import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { ItemView } from '../text/extract-features.ts';
import type { NamePair } from '../text/glossary.ts';
import { openWordCounter } from './document-frequency.ts';
import { type KeptView, packView, unpackView } from './feature-codec.ts';
import {
  openShelf,
  type Section,
  type Shelf,
  sectionAt,
  sections,
  termOf,
} from './feature-store.ts';
import { grown } from './grow-typed-array.ts';
import { type IndexedTerms, openIndexedTerms } from './indexed-terms.ts';
import { listTerms } from './list-terms.ts';
import { openPostings } from './postings.ts';
import { openTally, type Tally } from './sparse-counter.ts';
import { openSums, type Sums } from './term-weights.ts';
import { openTerms, type TermSettings } from './terms.ts';
import { openRanking, type Ranking } from './top-k.ts';

export type Script = ItemView['script'];

export type Memory = {
  readonly shelf: Shelf;
  readonly tally: Tally;
  /** For sums of items in a script of one's own, and in another. */
  readonly rankings: { readonly own: Ranking; readonly others: Ranking };
  readonly sums: Sums;
  readonly size: number;
  /** Puts an item away and answers its slot. It is not found until `publish`. */
  add(view: ItemView, timeMs: number | null): number;
  /** What `kept` answered, here or in another memory; null when it cannot be read. */
  addKept(kept: Uint8Array, timeMs: number | null): Restored | null;
  /** The item's view as bytes. */
  kept(slot: number, taught: readonly NamePair[]): Uint8Array;
  /**
   * From now on the item is found by others, and its words count: those that none of its
   * `companions` (slots that tell the same, or may) has. Counted by stories, a story that
   * everybody tells does not make its own names common.
   */
  publish(slot: number, companions: readonly number[], isNew: boolean): void;
  /** Two stories became one: what both told is counted once. */
  recount(a: readonly number[], b: readonly number[]): void;
  script(slot: number): Script;
  /** A list of several events. */
  isRoundup(slot: number): boolean;
  /** One word and no text. */
  isVague(slot: number): boolean;
  /** Nothing in it can be compared. */
  isEmpty(slot: number): boolean;
  hasText(slot: number): boolean;
  timeMs(slot: number): number | null;
  /** Null when either has no time. */
  gapDays(a: number, b: number): number | null;
  readonly titleWeight: (term: number) => number;
  readonly leadWeight: (term: number) => number;
  terms(slot: number, section: Section): Int32Array;
  /** The terms it is found by; they stand until another slot is asked for. */
  readonly indexedTerms: IndexedTerms;
  /** Keeps the slots of `kept` (ascending) alone, numbered anew from 0 in that order. */
  compact(kept: readonly number[]): void;
};

export type Restored = { readonly slot: number; readonly taught: KeptView['taught'] };

/** Words of every tenth title find nothing: they are not followed, and so not kept. */
const leastIndexed = 2;
const scriptCodes: readonly Script[] = ['latin', 'han', 'other'];

export function openMemory(share: (term: string) => number, settings: TermSettings): Memory {
  const terms = openTerms(share, settings);
  const shelf = openShelf();
  const postings = openPostings();
  const facts = openFacts();
  const weights = openSums(terms, shelf);
  const indexedTerms = openIndexedTerms(shelf);

  const list = (slot: number, section: Section) => {
    const at = sectionAt[section];
    return shelf.block().subarray(shelf.start(slot, at), shelf.end(slot, at));
  };
  const index = (slot: number): void => {
    for (const term of indexedTerms(slot)) {
      if (weights.titleWeight(term) >= leastIndexed) postings.add(term, slot);
    }
  };
  const put = (lists: KeptView['lists'], mark: number, timeMs: number | null): number => {
    const slot = shelf.add(lists);
    facts.put(slot, mark, timeMs);
    return slot;
  };
  const counter = openWordCounter(terms, list, settings.toldAgain);
  return {
    shelf,
    tally: openTally(postings),
    rankings: { own: openRanking(), others: openRanking() },
    indexedTerms,
    get size() {
      return shelf.size;
    },
    add(view, timeMs) {
      return put(listTerms(view, terms), marksOf(view), timeMs);
    },
    addKept(kept, timeMs) {
      const view = unpackView(kept, terms);
      if (view === null) return null;
      return { slot: put(view.lists, view.marks, timeMs), taught: view.taught };
    },
    kept(slot, taught) {
      const lists = {} as Record<Section, readonly number[]>;
      for (const name of sections) lists[name] = [...list(slot, name)];
      return packView({ marks: facts.marks(slot), lists, taught }, terms);
    },
    publish(slot, companions, isNew) {
      counter.count(slot, companions, isNew);
      weights.tick();
      index(slot);
    },
    recount: counter.recount,
    script: facts.script,
    hasText: facts.hasText,
    isRoundup: facts.isRoundup,
    isVague: facts.isVague,
    isEmpty: facts.isEmpty,
    timeMs: facts.timeMs,
    gapDays: facts.gapDays,
    sums: weights,
    titleWeight: weights.titleWeight,
    leadWeight: weights.leadWeight,
    terms: list,
    compact(kept) {
      const renamed = terms.compact(usedTerms(terms.size, kept, list));
      shelf.compact(kept, (term) => renamed[term] ?? 0);
      facts.compact(kept);
      weights.renew();
      postings.clear();
      for (let slot = 0; slot < kept.length; slot += 1) index(slot);
    },
  };
}

// Marks: two bits for the script, then one each.
const [withText, roundup, empty, vague] = [4, 8, 16, 32];
function marksOf(view: ItemView): number {
  const isEmpty = view.title.length + view.doc.size + view.pairs.length === 0;
  return (
    scriptCodes.indexOf(view.script) +
    (view.hasText ? withText : 0) +
    (view.isRoundup ? roundup : 0) +
    (isEmpty ? empty : 0) +
    (view.isVague ? vague : 0)
  );
}

/** What is known of an item besides its terms. */
function openFacts() {
  let times = new Float64Array(1 << 10);
  let marks = new Uint8Array(1 << 10);
  const has = (slot: number, mark: number) => ((marks[slot] ?? 0) & mark) !== 0;
  return {
    put(slot: number, mark: number, timeMs: number | null): void {
      if (slot >= times.length) [times, marks] = [grown(times, slot + 1), grown(marks, slot + 1)];
      times[slot] = timeMs ?? Number.NaN;
      marks[slot] = mark;
    },
    marks: (slot: number) => marks[slot] ?? 0,
    script: (slot: number): Script => scriptCodes[(marks[slot] ?? 0) & 3] ?? 'latin',
    hasText: (slot: number) => has(slot, withText),
    isRoundup: (slot: number) => has(slot, roundup),
    isEmpty: (slot: number) => has(slot, empty),
    isVague: (slot: number) => has(slot, vague),
    timeMs(slot: number): number | null {
      const time = times[slot] ?? Number.NaN;
      return Number.isNaN(time) ? null : time;
    },
    gapDays(a: number, b: number): number | null {
      const gap = Math.abs((times[a] ?? Number.NaN) - (times[b] ?? Number.NaN));
      return Number.isNaN(gap) ? null : gap / DAY_MS;
    },
    compact(kept: readonly number[]): void {
      kept.forEach((slot, to) => {
        times[to] = times[slot] ?? Number.NaN;
        marks[to] = marks[slot] ?? 0;
      });
    },
  };
}

/** 1 for each term that an item of `kept` has. */
function usedTerms(
  size: number,
  kept: readonly number[],
  list: (slot: number, section: Section) => Int32Array,
): Uint8Array {
  const isUsed = new Uint8Array(size);
  for (const slot of kept) {
    for (const name of sections) {
      for (const entry of list(slot, name)) isUsed[name === 'doc' ? termOf(entry) : entry] = 1;
    }
  }
  return isUsed;
}
