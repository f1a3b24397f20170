// Names for things: 48 bits of time, then 48 of chance, in hexadecimal. Ids made later sort later,
// so an index on them grows at one end, and none is ever used again.
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type Ids = {
  /** 24 characters of [0-9a-f], ascending with time to the millisecond. */
  next(): string;
};

export function timedIds(clock: Clock, random: Random): Ids {
  return {
    next: () => {
      const time = Math.max(0, clock.now()).toString(16).padStart(12, '0');
      return time + Buffer.from(random.bytes(6)).toString('hex');
    },
  };
}
