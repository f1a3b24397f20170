import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCny, microFen, parseCny, parseTypedCny } from './money.ts';

it('writes CNY exactly, without trailing zeros', () => {
  const amounts = [0n, 3_600_000n, 100_000n, 100_000_000n, -1n, -250_000_000n, 20_000_000_000n];
  expect(amounts.map(formatCny)).toEqual([
    ...['0', '0.036', '0.001', '1', '-0.00000001', '-2.5', '200'],
  ]);
});

it('parses decimal amounts in CNY and refuses all other texts', () => {
  expect(parseCny('0.036')).toBe(3_600_000n);
  expect(parseCny('-2.50')).toBe(-250_000_000n);
  expect(parseCny('92233720368.54775807')).toBe(2n ** 63n - 1n);
  for (const text of ['', '1.', '.5', '01', '+1', '1e3', '1,0', ' 1', '1\n', '1.123456789']) {
    expect(parseCny(text), text).toBeNull();
  }
  expect(parseCny('92233720368.54775808')).toBeNull();
});

it('parses typed amounts, and refuses ambiguous ones', () => {
  const spellings = [
    '1200.5',
    ' ¥1,200.50 ',
    '￥1200.50',
    '1 200.5',
    '１，２００．５０',
    '1,200.5',
  ];
  for (const text of spellings) expect(parseTypedCny(text), text).toBe(120_050_000_000n);
  expect(parseTypedCny('−2.50')).toBe(-250_000_000n);
  expect(parseTypedCny('-¥2.5')).toBe(-250_000_000n);
  expect(parseTypedCny('7.')).toBe(700_000_000n);
  const malformed = [
    '12,50',
    '1,2',
    '1,20,000',
    '1,200 500',
    '12,5000',
    '1.200,50',
    '5¥',
    '',
    '--1',
  ];
  for (const text of malformed) expect(parseTypedCny(text), text).toBeNull();
});

it('parses a formatted amount to the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), (amount) => {
      expect(parseCny(formatCny(amount))).toBe(amount);
      expect(microFen(String(amount))).toBe(amount);
    }),
  );
});
