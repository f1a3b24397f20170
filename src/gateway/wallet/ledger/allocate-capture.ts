// Allocates a charge to the parts of its hold, in spending order.
import { assert } from '../../../kernel/errors/assert.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import type { HoldPart } from '../../../store/ledger/decode-result.ts';

/** A part of a hold with its balance (`allowance:2026-08-22`, `voucher:…`, `cash`). */
export type Allocation = {
  readonly source: 'allowance' | 'voucher' | 'cash';
  readonly balance: string;
  readonly amount: MicroFen;
};

export type ChargeSplit = {
  readonly total: MicroFen;
  readonly freeQuota: MicroFen;
  readonly voucher: MicroFen;
  readonly cash: MicroFen;
};

/** Splits a captured amount by source, in spending order. The rest of the hold is released. */
export function splitCharge(allocations: readonly Allocation[], captured: MicroFen): ChargeSplit {
  const parts = { allowance: 0n, voucher: 0n, cash: 0n };
  let remaining = captured;
  for (const { source, amount } of allocations) {
    const part = amount < remaining ? amount : remaining;
    parts[source] += part;
    remaining -= part;
  }
  assert(remaining === 0n && captured >= 0n, `a charge of ${captured} must be covered by the hold`);
  const { allowance, voucher, cash } = parts;
  return { total: captured, freeQuota: allowance, voucher, cash };
}

export function allocationsOf(parts: readonly HoldPart[]): readonly Allocation[] {
  return parts.map(({ balance, amount }) => ({ source: sourceOf(balance), balance, amount }));
}

function sourceOf(balance: string): Allocation['source'] {
  if (balance === 'cash') return 'cash';
  return balance.startsWith('allowance:') ? 'allowance' : 'voucher';
}
