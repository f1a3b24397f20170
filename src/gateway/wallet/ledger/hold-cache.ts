// Caches unresolved holds that this process took from a single balance. One short statement
// captures a batch of them and checks each entry. The general statement captures all other holds.
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
      const [firstAllocation, secondAllocation] = allocations;
      if (firstAllocation === undefined || secondAllocation !== undefined) return;
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
  let evictedCount = 0;
  for (const oldest of holds.keys()) {
    holds.delete(oldest);
    evictedCount += 1;
    if (evictedCount === EVICTED_AT_ONCE) return;
  }
}
