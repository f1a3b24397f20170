// Adds up values by slot (an item's number in the index) for one search at a time. It uses an array
// and a list of the changed slots, because a Map took most of the time of a search.
import { growTypedArray } from './grow-typed-array.ts';
import type { Postings } from './postings.ts';

export function openSparseCounter(postings: Postings) {
  let sums = new Float64Array(1 << 12);
  let touched = new Int32Array(1 << 12);
  let slots = new Int32Array(1 << 10);
  let count = 0;
  return {
    /**
     * Adds a value to at most `max` newest slots of a term, none below `first`; returns their
     * number.
     */
    addTerm(term: number, max: number, value: number, first: number): number {
      if (max > slots.length) slots = growTypedArray(slots, max);
      const length = postings.read(term, max, slots, first);
      if (count + length > touched.length) touched = growTypedArray(touched, count + length);
      for (let index = 0; index < length; index += 1) {
        const slot = slots[index] ?? 0;
        if (slot >= sums.length) sums = growTypedArray(sums, slot + 1);
        const sum = sums[slot] ?? 0;
        if (sum === 0) {
          touched[count] = slot;
          count += 1;
        }
        sums[slot] = sum + value;
      }
      return length;
    },
    hasOther: postings.hasOther,
    /**
     * Calls `visit` for every slot with a sum, in the order of the first addition, and resets all
     * sums.
     */
    drain(visit: (slot: number, sum: number) => void): void {
      for (let index = 0; index < count; index += 1) {
        const slot = touched[index] ?? 0;
        visit(slot, sums[slot] ?? 0);
        sums[slot] = 0;
      }
      count = 0;
    },
  };
}
