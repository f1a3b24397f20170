// Sums by slot, for one question at a time: an array with a list of what was touched, since a map
// of thousands of slots for each item took most of the time.

export type Tally = {
  add(slot: number, value: number): void;
  /** Calls `visit` for every slot with a sum, in the order first touched, and starts anew. */
  drain(visit: (slot: number, sum: number) => void): void;
};

export function openTally(): Tally {
  let sums = new Float64Array(1 << 12);
  let touched: number[] = [];
  return {
    add(slot, value) {
      if (slot >= sums.length) {
        const more = new Float64Array(Math.ceil((slot + 1) * 1.5));
        more.set(sums);
        sums = more;
      }
      if (sums[slot] === 0) touched.push(slot);
      sums[slot] = (sums[slot] ?? 0) + value;
    },
    drain(visit) {
      for (const slot of touched) {
        visit(slot, sums[slot] ?? 0);
        sums[slot] = 0;
      }
      touched = [];
    },
  };
}
