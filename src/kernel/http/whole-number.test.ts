// Numbers in queries: only plain decimal digits are accepted.
import { expect, test } from 'vitest';
import { parseWholeNumber, readSkip, wholeNumber } from './whole-number.ts';

test('reads plain decimal digits, and lowers a greater `skip` to its maximum', () => {
  expect(wholeNumber(1, 20, 10).parse('20')).toBe(20);
  expect(wholeNumber(1, 20, 10).parse(undefined)).toBe(10);
  expect(parseWholeNumber('123456789')).toBe(123_456_789);
  expect(readSkip(new URLSearchParams('skip=40'))).toBe(40);
  expect(readSkip(new URLSearchParams('skip=100001'))).toBe(100_000);
});

test.each(['0x5', '1e1', '05', '5.0', ' 5', '+5', '-5', '', '1234567890', '٥'])(
  'refuses %j as a whole number',
  (text) => {
    const result = wholeNumber(1, 20, 10).safeParse(text);
    expect(result.error?.issues[0]?.message).toBe('must be a whole number from 1 to 20');
    expect(parseWholeNumber(text)).toBeNull();
    expect(readSkip(new URLSearchParams({ skip: text }))).toBe(0);
  },
);
