// Randomness of the World: from the operating system in production, from a printed seed in tests.
import { randomBytes } from 'node:crypto';

export type Random = {
  /** A number in [0, 1). */
  next(): number;
  /** `count` bytes; unpredictable only in the production World. */
  bytes(count: number): Uint8Array;
};

/** Bytes are requested in blocks, because one system call costs more than one id. */
const BLOCK = 4_096;

export function systemRandom(): Random {
  let block = Buffer.alloc(0);
  let used = 0;
  /** Returns the offset of the next `count` bytes; the caller then calls `forget`. */
  const takeBytes = (count: number): number => {
    if (used + count > block.length) {
      block = randomBytes(BLOCK);
      used = 0;
    }
    used += count;
    return used - count;
  };
  // Overwrites used bytes, so that none is used twice or remains in memory.
  const forget = (from: number, count: number) => block.fill(0, from, from + count);
  return {
    next: () => {
      const from = takeBytes(6);
      const number = block.readUIntBE(from, 6) / 2 ** 48;
      forget(from, 6);
      return number;
    },
    bytes: (count) => {
      if (count > BLOCK) return new Uint8Array(randomBytes(count));
      const from = takeBytes(count);
      const bytes = new Uint8Array(block.subarray(from, from + count));
      forget(from, count);
      return bytes;
    },
  };
}

/** Mulberry32: small, fast and the same on every machine. Never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)),
  };
}
