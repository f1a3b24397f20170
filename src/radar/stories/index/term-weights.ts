// How telling each term is now, and what each item's runs weigh in all: made once while weights
// stand, so that two items are compared over what they share alone.

import { bent } from '../scoring/overlap.ts';
import { type Section, type Shelf, sectionAt, termOf } from './feature-store.ts';
import type { Terms } from './terms.ts';

/** Sums of weights over one run, and of their squares. */
export const sumAt = {
  title: 0,
  titleSquare: 1,
  pairs: 2,
  pairsSquare: 3,
  concepts: 4,
  conceptsSquare: 5,
  names: 6,
  namesSquare: 7,
  figures: 8,
  titleNames: 9,
  docSquare: 10,
  leadConceptsSquare: 11,
  glyphsSquare: 12,
} as const;
const perSlot = 13;

export type Sums = {
  /** Rises when weights are made anew: what was worked out before holds no more. */
  readonly epoch: number;
  /** Weights by term; only those of items that were made `fresh` stand. Do not write. */
  titleWeights(): Float32Array;
  leadWeights(): Float32Array;
  titleWeight(term: number): number;
  leadWeight(term: number): number;
  /** Makes the weights of an item's terms stand, and answers where its sums lie in `all`. */
  fresh(slot: number): number;
  /** All sums: `all()[fresh(slot) + sumAt.title]`. Do not write. */
  all(): Float32Array;
  /** Weights change with every document, ever more slowly: made anew after 1.5 % more of them. */
  tick(): void;
  renew(): void;
};

export function openSums(terms: Terms, shelf: Shelf): Sums {
  const title = openWeights(terms.titleWeight);
  const lead = openWeights(terms.leadWeight);
  let sums = new Float32Array(perSlot << 10);
  let epochs = new Uint32Array(1 << 10);
  let epoch = 1;
  let next = 1;
  let documents = 0;

  /** Sums of one run; -1 where only its terms' weights are to stand. */
  const weigh = (weights: Weights, slot: number, name: Section, sum: number, square: number) => {
    const block = shelf.block();
    const to = shelf.end(slot, sectionAt[name]);
    let [all, squares] = [0, 0];
    for (let at = shelf.start(slot, sectionAt[name]); at < to; at += 1) {
      const entry = block[at] ?? 0;
      const isDoc = name === 'doc';
      const w = weights.of(isDoc ? termOf(entry) : entry, epoch) * (isDoc ? bent(entry & 7) : 1);
      all += w;
      squares += w * w;
    }
    if (sum >= 0) sums[slot * perSlot + sum] = all;
    if (square >= 0) sums[slot * perSlot + square] = squares;
  };
  return {
    get epoch() {
      return epoch;
    },
    titleWeights: () => title.values(),
    leadWeights: () => lead.values(),
    titleWeight: (term) => title.of(term, epoch),
    leadWeight: (term) => lead.of(term, epoch),
    fresh(slot) {
      const base = slot * perSlot;
      if (slot >= epochs.length) {
        const length = Math.ceil((slot + 1) * 1.25);
        const [more, moreEpochs] = [new Float32Array(length * perSlot), new Uint32Array(length)];
        more.set(sums);
        moreEpochs.set(epochs);
        [sums, epochs] = [more, moreEpochs];
      }
      if (epochs[slot] === epoch) return base;
      epochs[slot] = epoch;
      weigh(title, slot, 'title', sumAt.title, sumAt.titleSquare);
      weigh(title, slot, 'pairs', sumAt.pairs, sumAt.pairsSquare);
      weigh(title, slot, 'concepts', sumAt.concepts, sumAt.conceptsSquare);
      weigh(title, slot, 'entities', -1, -1);
      weigh(title, slot, 'glyphs', -1, sumAt.glyphsSquare);
      weigh(lead, slot, 'names', sumAt.names, sumAt.namesSquare);
      weigh(lead, slot, 'allFigures', sumAt.figures, -1);
      weigh(lead, slot, 'titleNames', sumAt.titleNames, -1);
      weigh(lead, slot, 'leadConcepts', -1, sumAt.leadConceptsSquare);
      weigh(lead, slot, 'sounds', -1, -1);
      weigh(lead, slot, 'doc', -1, sumAt.docSquare);
      return base;
    },
    all: () => sums,
    tick() {
      documents += 1;
      if (documents < next) return;
      epoch += 1;
      next = documents + Math.min(256, Math.max(1, documents >> 6));
    },
    renew() {
      epoch += 1;
    },
  };
}

type Weights = { of(term: number, epoch: number): number; values(): Float32Array };

function openWeights(weigh: (term: number) => number): Weights {
  let values = new Float32Array(1 << 14);
  let epochs = new Uint32Array(1 << 14);
  return {
    values: () => values,
    of(term, epoch) {
      if (epochs[term] === epoch) return values[term] ?? 0;
      if (term >= values.length) {
        const length = Math.ceil((term + 1) * 1.25);
        const [more, moreEpochs] = [new Float32Array(length), new Uint32Array(length)];
        more.set(values);
        moreEpochs.set(epochs);
        [values, epochs] = [more, moreEpochs];
      }
      values[term] = weigh(term);
      epochs[term] = epoch;
      return values[term] ?? 0;
    },
  };
}
