import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCny, microFen, parseCny } from './money.ts';

it('writes CNY exactly, without trailing zeros', () => {
  const written = [0n, 3_600_000n, 100_000n, 100_000_000n, -1n, -250_000_000n, 20_000_000_000n];
  expect(written.map(formatCny)).toEqual([
    ...['0', '0.036', '0.001', '1', '-0.00000001', '-2.5', '200'],
  ]);
});

it('reads what the contract calls an amount, and nothing else', () => {
  expect(parseCny('0.036')).toBe(3_600_000n);
  expect(parseCny('-2.50')).toBe(-250_000_000n);
  expect(parseCny('92233720368.54775807')).toBe(2n ** 63n - 1n);
  for (const text of ['', '1.', '.5', '01', '+1', '1e3', '1,0', ' 1', '1\n', '1.123456789']) {
    expect(parseCny(text), text).toBeNull();
  }
  expect(parseCny('92233720368.54775808')).toBeNull();
});

it('what was written is read as the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), (amount) => {
      expect(parseCny(formatCny(amount))).toBe(amount);
      expect(microFen(String(amount))).toBe(amount);
    }),
  );
});
