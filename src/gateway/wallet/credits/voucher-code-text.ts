// What a voucher code looks like: `CR-XXXXX-XXXXX-XXXXX-XXXXX`, 80 random bits and 20 of a checksum
// in Crockford's base 32, which has no letter that is taken for another. It is read as people type
// it: any case, with or without dashes and blanks, an O for a 0, an I or L for a 1.
// https://www.crockford.com/base32.html
import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/crypto/random.ts';

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_LETTERS = 16;
const CHECK_LETTERS = 4;
const shape = new RegExp(`^[${letters}]{${RANDOM_LETTERS + CHECK_LETTERS}}$`);

export function makeVoucherCode(random: Random): string {
  // Five bits of each byte: 256 is a multiple of 32, so every letter is as likely.
  const body = [...random.bytes(RANDOM_LETTERS)].map((byte) => letters[byte & 31]).join('');
  return written(body + checkOf(body));
}

/** The code as it was made; null when it is none that we can have made. */
export function readVoucherCode(typed: string): string | null {
  const plain = typed
    .toUpperCase()
    .replace(/[\s‐-―−-]/gu, '')
    // Letters of a code itself may be these, when it is typed without its beginning.
    .replace(/^CR(?=.{20}$)/, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (!shape.test(plain)) return null;
  const body = plain.slice(0, RANDOM_LETTERS);
  return checkOf(body) === plain.slice(RANDOM_LETTERS) ? written(plain) : null;
}

const written = (plain: string) => `CR-${plain.match(/.{5}/g)?.join('-')}`;

function checkOf(body: string): string {
  const digest = createHash('sha256').update(`voucher ${body}`).digest();
  return [...digest.subarray(0, CHECK_LETTERS)].map((byte) => letters[byte & 31]).join('');
}
