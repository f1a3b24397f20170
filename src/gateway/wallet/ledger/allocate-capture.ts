// How a charge falls on what was held for it: in the order in which it was taken.
import { assert } from '../../../kernel/errors/assert.ts';
import type { MicroFen } from '../../../kernel/money.ts';

/** A part of a hold and the book it came from (`allowance:2026-08-22`, `voucher:…`, `cash`). */
export type Allocation = {
  readonly source: 'allowance' | 'voucher' | 'cash';
  readonly book: string;
  readonly amount: MicroFen;
};

export type ChargeSplit = {
  readonly total: MicroFen;
  readonly freeQuota: MicroFen;
  readonly voucher: MicroFen;
  readonly cash: MicroFen;
};

/** How a captured amount falls on what was held: in spending order; the rest goes back. Pure. */
export function splitCharge(allocations: readonly Allocation[], captured: MicroFen): ChargeSplit {
  const parts = { allowance: 0n, voucher: 0n, cash: 0n };
  let left = captured;
  for (const { source, amount } of allocations) {
    const part = amount < left ? amount : left;
    parts[source] += part;
    left -= part;
  }
  assert(left === 0n && captured >= 0n, `a charge of ${captured} is covered by what is held`);
  const { allowance, voucher, cash } = parts;
  return { total: captured, freeQuota: allowance, voucher, cash };
}
