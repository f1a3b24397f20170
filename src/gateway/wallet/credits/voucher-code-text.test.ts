import { expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { makeVoucherCode, readVoucherCode } from './voucher-code-text.ts';

const code = makeVoucherCode(seededRandom(1));

test('a code has four groups of five unambiguous letters or digits', () => {
  expect(code).toMatch(/^CR(-[0-9A-HJKMNP-TV-Z]{5}){4}$/);
});

test.each([
  code,
  code.toLowerCase(),
  code.replaceAll('-', ''),
  ` ${code.replaceAll('-', ' ')}\n`,
  code.replaceAll('-', '–'),
  code.slice(3),
  code.replaceAll('0', 'o').replaceAll('1', 'l'),
])('reads %j as the code', (input) => {
  expect(readVoucherCode(input)).toBe(code);
});

test('refuses a code with one wrong, missing or additional letter', () => {
  expect(readVoucherCode(code.slice(0, -1))).toBeNull();
  expect(readVoucherCode(`${code}0`)).toBeNull();
  expect(readVoucherCode('')).toBeNull();
  expect(readVoucherCode('x'.repeat(10_000))).toBeNull();
  for (let index = 3; index < code.length; index += 1) {
    if (code[index] === '-') continue;
    const otherLetter = code[index] === '7' ? '8' : '7';
    const input = code.slice(0, index) + otherLetter + code.slice(index + 1);
    expect(readVoucherCode(input)).toBeNull();
  }
});

test('all codes of one batch differ', () => {
  const random = seededRandom(7);
  const codes = Array.from({ length: 5_000 }, () => makeVoucherCode(random));
  expect(new Set(codes).size).toBe(codes.length);
});
