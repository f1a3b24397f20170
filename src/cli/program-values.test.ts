// Parsers of option values: the numbers that they accept and reject.
import { expect, test } from 'vitest';
import { wholeNumber, wholeNumberFromZero, wholeNumberUpTo } from './program-values.ts';

test('a score accepts 0, and a number of minutes rejects 0', () => {
  expect(['0', '1', '40'].map(wholeNumberFromZero)).toEqual([0, 1, 40]);
  expect(() => wholeNumber('0')).toThrow('from 1');
});

test('the message for a number that is too large contains the maximum', () => {
  expect(wholeNumberUpTo(10_000)('10000')).toBe(10_000);
  expect(() => wholeNumberUpTo(10_000)('10001')).toThrow('from 1 to 10000.');
});

test.each(['-1', '1.5', '', '01', 'ten'])('rejects "%s" as a whole number', (text) => {
  expect(() => wholeNumberFromZero(text)).toThrow('whole number');
});
