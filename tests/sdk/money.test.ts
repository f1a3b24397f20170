// The SDK's amounts: exact for every sum that a ledger can hold.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addMoney,
  compareMoney,
  formatMoney,
  multiplyMoney,
  subtractMoney,
} from '../../packages/sdk/src/money.ts';
import { formatCny } from '../../src/kernel/money.ts';

const units = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });

test('computes the same sums, differences and order as the ledger', () => {
  fc.assert(
    fc.property(units, units, (a, b) => {
      expect(addMoney(formatCny(a), formatCny(b))).toBe(formatCny(a + b));
      expect(subtractMoney(formatCny(a), formatCny(b))).toBe(formatCny(a - b));
      const unequalOrder = a < b ? -1 : 1;
      const order = a === b ? 0 : unequalOrder;
      expect(compareMoney(formatCny(a), formatCny(b))).toBe(order);
    }),
    { numRuns: 200 },
  );
});

test('computes exactly where floating point does not', () => {
  expect(addMoney('0.1', '0.2')).toBe('0.3');
  expect(addMoney()).toBe('0');
  expect(multiplyMoney('0.036', 1000)).toBe('36');
  expect(multiplyMoney('-0.001', 62)).toBe('-0.062');
});

test('formats all decimals, and at least two', () => {
  const formatted = ['0', '0.036', '1234567.5', '-2', '1000', '999', '-1234.00000001'].map(
    formatMoney,
  );
  expect(formatted).toEqual([
    ...['¥0.00', '¥0.036', '¥1,234,567.50', '-¥2.00', '¥1,000.00', '¥999.00'],
    '-¥1,234.00000001',
  ]);
});

test('refuses invalid amounts', () => {
  for (const text of ['', '1.', '.5', '01', '1e3', '+1', '0.123456789', ' 1', 'NaN']) {
    expect(() => addMoney(text)).toThrow(TypeError);
  }
});
