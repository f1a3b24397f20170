// Cache of unresolved holds that this process took from a single balance. The ledger captures them
// in uniform batches. The statement checks each entry; a missing entry takes the general path.
import type { SingleBalanceHold } from '../../../store/ledger/resolution.ts';
import type { Allocation } from './allocate-capture.ts';

export type HoldCache = {
  /** Stores a hold with its allocation. A hold from several balances is not stored. */
  put(
    requestId: string,
    hold: Omit<SingleBalanceHold, 'balance'>,
    allocations: readonly Allocation[],
  ): void;
  /** Returns and removes a hold. */
  remove(requestId: string): SingleBalanceHold | null;
};

/** Far above the number of concurrent calls of one process. The oldest are evicted first. */
const MAX_HOLDS = 100_000;
/** Evicted in blocks: a Map iterates over all deleted entries to reach its oldest one. */
const EVICTED_AT_ONCE = 10_000;

export function openHoldCache(): HoldCache {
  const holds = new Map<string, SingleBalanceHold>();
  return {
    put: (requestId, { accountId, livemode, sku, amount }, allocations) => {
      const [firstAllocation, more] = allocations;
      if (firstAllocation === undefined || more !== undefined) return;
      if (holds.size >= MAX_HOLDS) evictOldest(holds);
      holds.set(requestId, { accountId, livemode, balance: firstAllocation.balance, sku, amount });
    },
    remove: (requestId) => {
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
