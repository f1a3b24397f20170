// Generates ids of 48 bits of time and 48 random bits, in hexadecimal. Later ids sort after earlier
// ids, so a database index grows only at its end. An id is never reused.
import type { Clock } from '../time/clock.ts';
import type { Random } from './random.ts';

export type Ids = {
  /** 24 characters of [0-9a-f], ascending with time to the millisecond. */
  next(): string;
};

const hexByByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function timedIds(clock: Clock, random: Random): Ids {
  let lastAt = -1;
  let time = '';
  return {
    next: () => {
      const now = Math.max(0, clock.now());
      if (now !== lastAt) {
        lastAt = now;
        time = now.toString(16).padStart(12, '0');
      }
      let id = time;
      for (const byte of random.bytes(6)) id += hexByByte[byte];
      return id;
    },
  };
}
