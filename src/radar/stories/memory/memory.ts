// Everything the engine knows of the live items: their views, which items have which term, and how
// telling each term is now.

import { openTerms, type TermSettings, type Terms } from '../terms.ts';
import type { ItemView } from '../view/view-item.ts';
import { openWordCounter } from './count-words.ts';
import { openPostings, type Postings } from './postings.ts';
import {
  openShelf,
  packed,
  type Section,
  type Shelf,
  sectionAt,
  sections,
  termOf,
} from './shelf.ts';
import { openSums, type Sums } from './sums.ts';
import { openTally, type Tally } from './tally.ts';

export type Script = ItemView['script'];

export type Memory = {
  readonly shelf: Shelf;
  readonly postings: Postings;
  readonly tally: Tally;
  readonly sums: Sums;
  readonly size: number;
  /** Puts an item away and answers its slot. It is not found until `publish`. */
  add(view: ItemView, timeMs: number | null): number;
  /**
   * From now on the item is found by others, and its words count: those that none of its
   * `companions` (slots that tell the same, or may) has. Counted by stories, a story that
   * everybody tells does not make its own names common.
   */
  publish(slot: number, companions: readonly number[], isNew: boolean): void;
  /** Two stories became one: what both told is counted once. */
  recount(a: readonly number[], b: readonly number[]): void;
  script(slot: number): Script;
  hasText(slot: number): boolean;
  timeMs(slot: number): number | null;
  /** Null when either has no time. */
  gapDays(a: number, b: number): number | null;
  readonly titleWeight: (term: number) => number;
  readonly leadWeight: (term: number) => number;
  terms(slot: number, section: Section): Int32Array;
  /** Keeps the slots of `kept` (ascending) alone, numbered anew from 0 in that order. */
  compact(kept: readonly number[]): void;
};

const dayMs = 86_400_000;
const mostDocTerms = 160;
/** Words of every tenth title find nothing: they are not followed, and so not kept. */
const leastIndexed = 2;
const mostLeadConcepts = 40;
const scriptCodes: readonly Script[] = ['latin', 'han', 'other'];

export function openMemory(share: (term: string) => number, settings: TermSettings): Memory {
  const terms = openTerms(share, settings);
  const shelf = openShelf();
  const postings = openPostings();
  const times: number[] = [];
  const scripts: number[] = [];
  const weights = openSums(terms, shelf);

  const list = (slot: number, section: Section) =>
    shelf
      .block()
      .subarray(shelf.start(slot, sectionAt[section]), shelf.end(slot, sectionAt[section]));
  const index = (slot: number): void => {
    for (const term of indexedTerms(list, slot)) {
      if (weights.titleWeight(term) >= leastIndexed) postings.add(term, slot);
    }
  };
  const counter = openWordCounter(terms, list, settings.toldAgain);
  return {
    shelf,
    postings,
    tally: openTally(),
    get size() {
      return shelf.size;
    },
    add(view, timeMs) {
      const lists = {} as Record<Section, number[]>;
      for (const name of sections) {
        lists[name] = name === 'doc' ? [] : view[name].map(terms.intern);
      }
      lists.doc = packDoc(view.doc, terms);
      lists.leadConcepts = mostTelling(lists.leadConcepts, terms, mostLeadConcepts);
      const slot = shelf.add(lists);
      times[slot] = timeMs ?? Number.NaN;
      scripts[slot] = scriptCodes.indexOf(view.script) + (view.hasText ? 4 : 0);
      return slot;
    },
    publish(slot, companions, isNew) {
      counter.count(slot, companions, isNew);
      weights.tick();
      index(slot);
    },
    recount: counter.recount,
    script: (slot) => scriptCodes[(scripts[slot] ?? 0) & 3] ?? 'latin',
    hasText: (slot) => (scripts[slot] ?? 0) >= 4,
    timeMs: (slot) => (Number.isNaN(times[slot]) ? null : (times[slot] ?? null)),
    gapDays(a, b) {
      const gap = Math.abs((times[a] ?? Number.NaN) - (times[b] ?? Number.NaN));
      return Number.isNaN(gap) ? null : gap / dayMs;
    },
    sums: weights,
    titleWeight: weights.titleWeight,
    leadWeight: weights.leadWeight,
    terms: list,
    compact(kept) {
      const renamed = terms.compact(usedTerms(terms.size, kept, list));
      shelf.compact(kept, (term) => renamed[term] ?? 0);
      kept.forEach((slot, to) => {
        times[to] = times[slot] ?? Number.NaN;
        scripts[to] = scripts[slot] ?? 0;
      });
      times.length = kept.length;
      scripts.length = kept.length;
      weights.renew();
      postings.clear();
      for (let slot = 0; slot < kept.length; slot += 1) {
        index(slot);
      }
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

/** The terms an item is found by. */
export function indexedTerms(
  list: (slot: number, section: Section) => Int32Array,
  slot: number,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const name of ['title', 'pairs', 'concepts', 'links', 'names', 'allFigures'] as const) {
    for (const term of list(slot, name)) found.add(term);
  }
  for (const entry of list(slot, 'doc')) found.add(termOf(entry));
  return found;
}

/** The terms that tell most, by how rare each is and how often it stands there. */
function packDoc(doc: ReadonlyMap<string, number>, terms: Terms): number[] {
  if (doc.size <= mostDocTerms) {
    return Array.from(doc, ([term, times]) => packed(terms.intern(term), times));
  }
  const weighed = [...doc].map(([term, times], at) => {
    const id = terms.intern(term);
    return { id, times, at, weight: terms.leadWeight(id) * (1 + Math.log(times)) };
  });
  weighed.sort((a, b) => b.weight - a.weight || a.at - b.at);
  return weighed.slice(0, mostDocTerms).map(({ id, times }) => packed(id, times));
}

function mostTelling(list: readonly number[], terms: Terms, most: number): number[] {
  if (list.length <= most) return [...list];
  const weighed = list.map((term, at) => ({ term, at, weight: terms.leadWeight(term) }));
  weighed.sort((a, b) => b.weight - a.weight || a.at - b.at);
  return weighed.slice(0, most).map(({ term }) => term);
}
