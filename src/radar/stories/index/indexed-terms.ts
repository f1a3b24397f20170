// Lists the distinct terms under which an item is indexed. All queries share one list, because a
// new set per item took as long as the search itself.

import { type FeatureSection, type FeatureStore, sectionAt, termOf } from './feature-store.ts';
import { growTypedArray } from './grow-typed-array.ts';

const termKinds = ['doc', 'concepts', 'links'] as const;

/** The result of the returned function is valid until its next call. */
export function openIndexedTerms(features: FeatureStore): (slot: number) => Int32Array {
  let terms = new Int32Array(1 << 9);
  // The number of the last call (round) in which each term occurred.
  let lastRounds = new Uint32Array(1 << 14);
  let round = 0;

  const addTerms = (slot: number, section: FeatureSection, from: number): number => {
    const block = features.block();
    const [at, end] = [
      features.start(slot, sectionAt[section]),
      features.end(slot, sectionAt[section]),
    ];
    let count = from;
    for (let entry = at; entry < end; entry += 1) {
      const term = termOf(block[entry] ?? 0);
      if (term >= lastRounds.length) lastRounds = growTypedArray(lastRounds, term + 1);
      if (lastRounds[term] === round) continue;
      lastRounds[term] = round;
      if (count === terms.length) terms = growTypedArray(terms, count + 1);
      terms[count] = term;
      count += 1;
    }
    return count;
  };
  return (slot) => {
    round += 1;
    return terms.subarray(
      0,
      termKinds.reduce((count, section) => addTerms(slot, section, count), 0),
    );
  };
}
