// What this process opened from one book alone and has not ended yet: the ledger captures such
// calls by sets. It is a hint, which the statement checks; what is forgotten goes the longer way.
import type { PlainHold } from '../../../store/ledger/resolution.ts';
import type { Allocation } from './allocate-capture.ts';

export type HoldMemory = {
  /** A hold and what it was taken from; one from several books is forgotten. */
  keep(requestId: string, hold: Omit<PlainHold, 'book'>, allocations: readonly Allocation[]): void;
  /** Once: after that it is forgotten. */
  take(requestId: string): PlainHold | null;
};

/** Far more than run at once in one process; the oldest go first. */
const MOST = 100_000;
/** So many at once: a map goes past all that it has forgotten to find its oldest. */
const FORGOTTEN_AT_ONCE = 10_000;

export function openHolds(): HoldMemory {
  const holds = new Map<string, PlainHold>();
  return {
    keep: (requestId, { accountId, livemode, sku, amount }, allocations) => {
      const [only, more] = allocations;
      if (only === undefined || more !== undefined) return;
      if (holds.size >= MOST) forgetOldest(holds);
      holds.set(requestId, { accountId, livemode, book: only.book, sku, amount });
    },
    take: (requestId) => {
      const hold = holds.get(requestId) ?? null;
      holds.delete(requestId);
      return hold;
    },
  };
}

function forgetOldest(holds: Map<string, PlainHold>): void {
  let forgotten = 0;
  for (const oldest of holds.keys()) {
    holds.delete(oldest);
    forgotten += 1;
    if (forgotten === FORGOTTEN_AT_ONCE) return;
  }
}
