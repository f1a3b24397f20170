import { expect, test } from 'vitest';
import { openTokenSigner } from './token-signer.ts';

const secret = Buffer.alloc(32, 7);
const signer = openTokenSigner(secret, 'session cookie');

test('a signed token returns its id', () => {
  expect(signer.read(signer.sign('abc'))).toBe('abc');
  expect(signer.read(signer.sign('abc', 'acct_1'), 'acct_1')).toBe('abc');
});

test.each([
  ['made up', 'abc'],
  ['another id', signer.sign('abc').replace('abc', 'abd')],
  ['another subject', signer.sign('abc', 'acct_1')],
  ['another purpose', openTokenSigner(secret, 'known browser').sign('abc')],
  ['another secret', openTokenSigner(Buffer.alloc(32, 8), 'session cookie').sign('abc')],
  ['nothing', ''],
])('refuses %s as a token', (_name, token) => {
  expect(signer.read(token)).toBeNull();
});
