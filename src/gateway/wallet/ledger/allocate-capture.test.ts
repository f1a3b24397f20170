import { expect, it } from 'vitest';
import { type Allocation, splitCharge } from './allocate-capture.ts';

const allocations: readonly Allocation[] = [
  { source: 'allowance', balance: 'allowance:2026-08-22', amount: 5n },
  { source: 'voucher', balance: 'voucher:a', amount: 3n },
  { source: 'voucher', balance: 'voucher:b', amount: 3n },
  { source: 'cash', balance: 'cash', amount: 10n },
];

it('charges the allowance, then vouchers, then cash', () => {
  expect(splitCharge(allocations, 21n)).toEqual({
    total: 21n,
    freeQuota: 5n,
    voucher: 6n,
    cash: 10n,
  });
  expect(splitCharge(allocations, 9n)).toEqual({ total: 9n, freeQuota: 5n, voucher: 4n, cash: 0n });
  expect(splitCharge(allocations, 0n)).toEqual({ total: 0n, freeQuota: 0n, voucher: 0n, cash: 0n });
  expect(splitCharge([], 0n)).toEqual({ total: 0n, freeQuota: 0n, voucher: 0n, cash: 0n });
});

it('refuses a charge above the hold', () => {
  expect(() => splitCharge(allocations, 22n)).toThrow('covered by the hold');
});
