// Provides the randomness of the World: from the operating system in production, and from a printed
// seed in tests.
import { randomBytes } from 'node:crypto';

export type Random = {
  /** A number in [0, 1). */
  next(): number;
  /** `count` bytes; unpredictable only in the production World. */
  bytes(count: number): Uint8Array;
};

/** Bytes are requested in blocks, because one system call costs more than one id. */
const BLOCK_BYTES = 4_096;

export function systemRandom(): Random {
  let block = Buffer.alloc(0);
  let usedCount = 0;
  /** Returns the offset of the next `count` bytes; the caller then calls `overwriteBytes`. */
  const takeBytes = (count: number): number => {
    if (usedCount + count > block.length) {
      block = randomBytes(BLOCK_BYTES);
      usedCount = 0;
    }
    usedCount += count;
    return usedCount - count;
  };
  // Overwrites used bytes, so that no byte is used twice or stays in memory.
  const overwriteBytes = (from: number, count: number) => block.fill(0, from, from + count);
  return {
    next: () => {
      const from = takeBytes(6);
      const number = block.readUIntBE(from, 6) / 2 ** 48;
      overwriteBytes(from, 6);
      return number;
    },
    bytes: (count) => {
      if (count > BLOCK_BYTES) return new Uint8Array(randomBytes(count));
      const from = takeBytes(count);
      const bytes = new Uint8Array(block.subarray(from, from + count));
      overwriteBytes(from, count);
      return bytes;
    },
  };
}

/** Mulberry32 is small, fast and equal on every machine. It must not be used for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)),
  };
}
