// Values of options: which numbers are accepted.
import { expect, test } from 'vitest';
import { wholeNumber, wholeNumberFromZero, wholeNumberUpTo } from './program-values.ts';

test('a score may be 0, and a number of minutes may not', () => {
  expect(['0', '1', '40'].map(wholeNumberFromZero)).toEqual([0, 1, 40]);
  expect(() => wholeNumber('0')).toThrow('from 1');
});

test('a maximum is part of the message', () => {
  expect(wholeNumberUpTo(10_000)('10000')).toBe(10_000);
  expect(() => wholeNumberUpTo(10_000)('10001')).toThrow('from 1 to 10000.');
});

test.each(['-1', '1.5', '', '01', 'ten'])('%s is no whole number', (text) => {
  expect(() => wholeNumberFromZero(text)).toThrow('whole number');
});
