// Numbers terms without storing their texts. A term is identified by two hashes of 32 bits in a
// table with open addressing. As text in a map, a million terms took hundreds of megabytes. Two
// terms with the same hashes would count as one. With ten million terms, this is expected once in
// 300,000 streams.
import { growTypedArray } from './grow-typed-array.ts';

export function openTermTable() {
  // `low` and `high` are hashes by number. A bucket holds a number plus one; 0 is empty.
  let low = new Uint32Array(1 << 13);
  let high = new Uint32Array(1 << 13);
  let buckets = new Uint32Array(1 << 14);
  let size = 0;

  const putTerm = (id: number): void => {
    const mask = buckets.length - 1;
    let bucket = (low[id] ?? 0) & mask;
    while (buckets[bucket] !== 0) bucket = (bucket + 1) & mask;
    buckets[bucket] = id + 1;
  };
  const rebuild = (length: number): void => {
    buckets = new Uint32Array(length);
    for (let id = 0; id < size; id += 1) putTerm(id);
  };
  const grow = (): void => {
    if (size >= low.length)
      [low, high] = [growTypedArray(low, size + 1), growTypedArray(high, size + 1)];
    // The table is at most three quarters full, so searches stay short.
    if (size * 4 >= buckets.length * 3) rebuild(buckets.length * 2);
  };
  const numberFromHashes = (first: number, second: number): number => {
    const mask = buckets.length - 1;
    for (let bucket = first & mask; ; bucket = (bucket + 1) & mask) {
      const id = (buckets[bucket] ?? 0) - 1;
      if (id < 0) break;
      if (low[id] === first && high[id] === second) return id;
    }
    grow();
    low[size] = first;
    high[size] = second;
    size += 1;
    putTerm(size - 1);
    return size - 1;
  };
  return {
    get size(): number {
      return size;
    },
    /** The number of a term, from its two hashes. */
    numberFromHashes,
    low: (id: number) => low[id] ?? 0,
    high: (id: number) => high[id] ?? 0,
    /** The term's number. A new term gets the previous size as its number. */
    number(term: string): number {
      let [first, second] = [0x811c9dc5, 0x9747b28c ^ term.length];
      for (let index = 0; index < term.length; index += 1) {
        const code = term.charCodeAt(index);
        first = Math.imul(first ^ code, 0x01000193);
        second = Math.imul(second ^ code, 0x5bd1e995);
        second ^= second >>> 15;
      }
      return numberFromHashes(mixBits(first), mixBits(second));
    },
    /** Drops every term that is not used; returns the new number of each kept term, ascending. */
    compact(isUsed: Uint8Array): Int32Array {
      const newNumbers = new Int32Array(size);
      let keptCount = 0;
      for (let id = 0; id < size; id += 1) {
        if (isUsed[id] !== 1) continue;
        newNumbers[id] = keptCount;
        low[keptCount] = low[id] ?? 0;
        high[keptCount] = high[id] ?? 0;
        keptCount += 1;
      }
      size = keptCount;
      rebuild(buckets.length);
      return newNumbers;
    },
  };
}

/** A mixing function: every bit of the result depends on every bit of the input. */
function mixBits(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
