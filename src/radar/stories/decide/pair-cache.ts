// Odds of pairs while weights stand: a join, the look at neighbours and the average link ask for
// the same pairs. A table of fixed size, where a later pair takes an earlier one's place.

const places = 1 << 17;

export type PairCache = {
  /** `epoch` is that of the weights; the order of `a` and `b` does not matter. */
  odds(a: number, b: number, epoch: number): number;
};

export function openPairCache(work: (a: number, b: number) => number): PairCache {
  const firsts = new Int32Array(places);
  const seconds = new Int32Array(places);
  const epochs = new Uint32Array(places);
  const known = new Float64Array(places);
  return {
    odds(a, b, epoch) {
      const [first, second] = a < b ? [a, b] : [b, a];
      const at = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 15;
      if (epochs[at] === epoch && firsts[at] === first && seconds[at] === second) {
        return known[at] ?? 0;
      }
      const odds = work(a, b);
      firsts[at] = first;
      seconds[at] = second;
      epochs[at] = epoch;
      known[at] = odds;
      return odds;
    },
  };
}
