// Caches similarities of pairs while weights are unchanged, because assignment, neighbours and
// average links need the same pairs. The table has a fixed size; a new pair overwrites an old one.

const ENTRIES = 1 << 17;
/** 32-bit words per entry: two for the value, both slots, the epoch, and one for alignment. */
const WORDS_PER_ENTRY = 6;

/**
 * The returned function caches `computeValue`. `epoch` is the epoch of the weights; the order of
 * `a` and `b` does not matter.
 */
export function openPairCache(
  computeValue: (a: number, b: number) => number,
): (a: number, b: number, epoch: number) => number {
  // All words of an entry are adjacent, because they are read together.
  const keys = new Int32Array(ENTRIES * WORDS_PER_ENTRY);
  const cachedValues = new Float64Array(keys.buffer);
  return (a, b, epoch) => {
    const [first, second] = a < b ? [a, b] : [b, a];
    // The 17 highest bits of the hash, because the table has 2^17 entries.
    const entry = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 15;
    const at = entry * WORDS_PER_ENTRY;
    const isKnown = keys[at + 2] === first && keys[at + 3] === second && keys[at + 4] === epoch;
    if (isKnown) return cachedValues[entry * 3] ?? 0;
    const value = computeValue(a, b);
    keys[at + 2] = first;
    keys[at + 3] = second;
    keys[at + 4] = epoch;
    cachedValues[entry * 3] = value;
    return value;
  };
}
