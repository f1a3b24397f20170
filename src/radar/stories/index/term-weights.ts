// Caches the weight of each term and the vector length of each item while weights are unchanged. A
// comparison of two items therefore reads only their shared terms.

import {
  type FeatureSection,
  type FeatureStore,
  frequencyOf,
  inTitle,
  sectionAt,
  termOf,
} from './feature-store.ts';
import { growTypedArray } from './grow-typed-array.ts';
import type { Terms } from './terms.ts';

/**
 * Added to the factor of a word that occurs in the title. A word that occurs once in the text has
 * factor 1.
 */
const titleWeight = 2;
const factors = Float64Array.from({ length: 2 * inTitle }, (_, frequency) => {
  const isTitle = frequency >= inTitle;
  const times = isTitle ? frequency - inTitle + 1 : frequency;
  return times === 0 ? 0 : 1 + Math.log(times) + (isTitle ? titleWeight : 0);
});

/** The factor of a term's weight for its frequency in text and title. */
export const frequencyFactor = (frequency: number): number => factors[frequency] ?? 0;

export function openTermWeights(terms: Terms, store: FeatureStore) {
  let values = new Float32Array(1 << 14);
  let epochs = new Uint32Array(1 << 14);
  let lengths = new Float32Array(2 << 10);
  let lengthEpochs = new Uint32Array(1 << 10);
  let epoch = 1;
  let nextEpochAt = 1;
  let documents = 0;

  const weightOf = (term: number): number => {
    if (epochs[term] === epoch) return values[term] ?? 0;
    if (term >= values.length) {
      [values, epochs] = [growTypedArray(values, term + 1), growTypedArray(epochs, term + 1)];
    }
    values[term] = terms.weight(term);
    epochs[term] = epoch;
    return values[term] ?? 0;
  };
  const lengthOf = (slot: number, name: FeatureSection): number => {
    const block = store.block();
    const to = store.end(slot, sectionAt[name]);
    let sum = 0;
    for (let at = store.start(slot, sectionAt[name]); at < to; at += 1) {
      const entry = block[at] ?? 0;
      const weight = weightOf(termOf(entry)) * frequencyFactor(frequencyOf(entry));
      sum += weight * weight;
    }
    return Math.sqrt(sum);
  };
  const updateLengths = (slot: number): void => {
    if (slot >= lengthEpochs.length) {
      [lengths, lengthEpochs] = [
        growTypedArray(lengths, slot * 2 + 2),
        growTypedArray(lengthEpochs, slot + 1),
      ];
    }
    if (lengthEpochs[slot] === epoch) return;
    lengthEpochs[slot] = epoch;
    lengths[slot * 2] = lengthOf(slot, 'doc');
    lengths[slot * 2 + 1] = lengthOf(slot, 'concepts');
  };
  return {
    /** Increases when weights are recomputed, which invalidates derived values. */
    get epoch(): number {
      return epoch;
    },
    /** Read-only weights by term, valid for the terms of items whose length was computed. */
    all: (): Float32Array => values,
    of: weightOf,
    /** The Euclidean length of the weighted terms; updates the weights of the item's terms. */
    length(slot: number, section: 'doc' | 'concepts'): number {
      updateLengths(slot);
      return lengths[slot * 2 + (section === 'doc' ? 0 : 1)] ?? 0;
    },
    /**
     * Counts a document. Weights are recomputed after 1.5 % more documents, and at the latest after
     * 1,024.
     */
    tick(): void {
      documents += 1;
      if (documents < nextEpochAt) return;
      epoch += 1;
      nextEpochAt = documents + Math.min(1024, Math.max(1, documents >> 6));
    },
    /** All weights are computed again when they are read. */
    renew(): void {
      epoch += 1;
    },
  };
}
