// Sums by slot, for one question at a time: an array with a list of what was touched, since a map
// of thousands of slots for each item took most of the time.
import { grown } from '../grown.ts';

export type Tally = {
  add(slot: number, value: number): void;
  /** Calls `visit` for every slot with a sum, in the order first touched, and starts anew. */
  drain(visit: (slot: number, sum: number) => void): void;
};

export function openTally(): Tally {
  let sums = new Float64Array(1 << 12);
  let touched = new Int32Array(1 << 12);
  let count = 0;
  return {
    add(slot, value) {
      if (slot >= sums.length) sums = grown(sums, slot + 1);
      const sum = sums[slot] ?? 0;
      if (sum === 0) {
        if (count === touched.length) touched = grown(touched, count + 1);
        touched[count] = slot;
        count += 1;
      }
      sums[slot] = sum + value;
    },
    drain(visit) {
      for (let at = 0; at < count; at += 1) {
        const slot = touched[at] ?? 0;
        visit(slot, sums[slot] ?? 0);
        sums[slot] = 0;
      }
      count = 0;
    },
  };
}
