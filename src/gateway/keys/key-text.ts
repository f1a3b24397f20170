// Creates and parses the text of a key: `sk-`, `sk-test-`, `ak-` or `ak-test-`, 160 random bits and
// a checksum. The checksum detects a mistyped or invented key without a database query.
import { hash } from 'node:crypto';
import { base32 } from '../../kernel/crypto/base32.ts';
import type { Random } from '../../kernel/crypto/random.ts';

export type KeyKind = 'sk' | 'ak';

/** The kind and the mode of a key, which the text of the key begins with. */
type KeyVariant = { readonly kind: KeyKind; readonly livemode: boolean };

const RANDOM_BYTES = 20;
const CHECK_LETTERS = 6;
/** Six letters of five bits need 30 bits. */
const CHECK_BYTES = 4;
const keyPattern = /^(sk|ak)-(test-)?([a-z2-7]{32})([a-z2-7]{6})$/;

export function makeKeyText(random: Random, { kind, livemode }: KeyVariant): string {
  const prefix = `${kind}-${livemode ? '' : 'test-'}`;
  const body = prefix + base32(random.bytes(RANDOM_BYTES));
  return body + checksumOf(body);
}

/** Null: the text is not a key of this application. */
export function readKeyText(text: string): KeyVariant | null {
  const [, kind, test, , check] = keyPattern.exec(text) ?? [];
  if (kind === undefined || check !== checksumOf(text.slice(0, -CHECK_LETTERS))) return null;
  return { kind: kind === 'sk' ? 'sk' : 'ak', livemode: test === undefined };
}

/** Returns the stored display form: the prefix with four letters, and the last four letters. */
export function displayPartsOf(key: string): { readonly prefix: string; readonly last4: string } {
  const [start = ''] = /^(sk|ak)-(test-)?[a-z2-7]{4}/.exec(key) ?? [];
  return { prefix: start, last4: key.slice(-4) };
}

function checksumOf(body: string): string {
  const digest = hash('sha256', body, 'buffer');
  return base32(digest.subarray(0, CHECK_BYTES)).slice(0, CHECK_LETTERS);
}
