// What this process opened from one book alone and has not ended yet: the ledger captures such
// calls by sets. It is a hint, which the statement checks; what is forgotten goes the longer way.
import type { PlainHold } from '../../store/ledger/resolution.ts';
import type { Opened, Opening } from './wallet.ts';

export type HoldMemory = {
  keep(opening: Opening, opened: Opened): void;
  /** Once: after that it is forgotten. */
  take(requestId: string): PlainHold | null;
};

/** Far more than run at once in one process; the oldest go first. */
const MOST = 100_000;

export function openHolds(): HoldMemory {
  const holds = new Map<string, PlainHold>();
  return {
    keep: ({ requestId, accountId, livemode, sku, amount }, opened) => {
      if (opened.kind !== 'opened' || sku === null) return;
      const [only, more] = opened.allocations;
      if (only === undefined || more !== undefined) return;
      if (holds.size >= MOST) {
        for (const oldest of holds.keys()) {
          holds.delete(oldest);
          break;
        }
      }
      holds.set(requestId, { accountId, livemode, book: only.book, sku, amount });
    },
    take: (requestId) => {
      const hold = holds.get(requestId) ?? null;
      holds.delete(requestId);
      return hold;
    },
  };
}
