// What this process opened from one book alone and has not ended yet: the ledger captures such
// calls by sets. It is a hint, which the statement checks; what is forgotten goes the longer way.
import type { SingleBalanceHold } from '../../../store/ledger/resolution.ts';
import type { Allocation } from './allocate-capture.ts';

export type HoldCache = {
  /** A hold and what it was taken from; one from several books is forgotten. */
  put(
    requestId: string,
    hold: Omit<SingleBalanceHold, 'book'>,
    allocations: readonly Allocation[],
  ): void;
  /** Once: after that it is forgotten. */
  take(requestId: string): SingleBalanceHold | null;
};

/** Far more than run at once in one process; the oldest go first. */
const MAX_HOLDS = 100_000;
/** So many at once: a map goes past all that it has forgotten to find its oldest. */
const EVICTED_AT_ONCE = 10_000;

export function openHoldCache(): HoldCache {
  const holds = new Map<string, SingleBalanceHold>();
  return {
    put: (requestId, { accountId, livemode, sku, amount }, allocations) => {
      const [only, more] = allocations;
      if (only === undefined || more !== undefined) return;
      if (holds.size >= MAX_HOLDS) evictOldest(holds);
      holds.set(requestId, { accountId, livemode, book: only.book, sku, amount });
    },
    take: (requestId) => {
      const hold = holds.get(requestId) ?? null;
      holds.delete(requestId);
      return hold;
    },
  };
}

function evictOldest(holds: Map<string, SingleBalanceHold>): void {
  let forgotten = 0;
  for (const oldest of holds.keys()) {
    holds.delete(oldest);
    forgotten += 1;
    if (forgotten === EVICTED_AT_ONCE) return;
  }
}
