// Creates and parses voucher codes, `CR-XXXXX-XXXXX-XXXXX-XXXXX`: 80 random bits and a checksum of
// 20 bits in Crockford's base 32. Parsing accepts small letters, missing dashes, O for 0, and I or
// L for 1. https://www.crockford.com/base32.html
import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/crypto/random.ts';

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_LETTERS = 16;
const CHECK_LETTERS = 4;
const shape = new RegExp(`^[${letters}]{${RANDOM_LETTERS + CHECK_LETTERS}}$`);

export function makeVoucherCode(random: Random): string {
  // Five bits of each byte: 256 is a multiple of 32, so all letters are equally likely.
  const body = [...random.bytes(RANDOM_LETTERS)].map((byte) => letters[byte & 31]).join('');
  return formatCode(body + checkOf(body));
}

/** The canonical code; null for text that fails the form or the checksum. */
export function readVoucherCode(input: string): string | null {
  const digits = input
    .toUpperCase()
    // Spaces, and dashes of any width.
    .replace(/[\s‐-―−-]/gu, '')
    // Removed only before twenty characters, because the code itself may begin with CR.
    .replace(/^CR(?=.{20}$)/, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (!shape.test(digits)) return null;
  const body = digits.slice(0, RANDOM_LETTERS);
  return checkOf(body) === digits.slice(RANDOM_LETTERS) ? formatCode(digits) : null;
}

const formatCode = (digits: string) => `CR-${digits.match(/.{5}/g)?.join('-')}`;

function checkOf(body: string): string {
  const digest = createHash('sha256').update(`voucher ${body}`).digest();
  return [...digest.subarray(0, CHECK_LETTERS)].map((byte) => letters[byte & 31]).join('');
}
