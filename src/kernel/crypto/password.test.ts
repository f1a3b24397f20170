import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { testWorld } from '../../../tests/support/test-world.ts';
import { hashPassword, verifyPassword } from './password.ts';

const { world } = testWorld();

test('a password verifies only its own hash', async () => {
  const hash = await hashPassword(world, 'correct horse battery');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verifyPassword(hash, 'correct horse battery')).toBe(true);
  expect(await verifyPassword(hash, 'correct horse batterz')).toBe(false);
  // All characters are hashed, also after the 72 bytes of bcrypt and with spaces at the end.
  const longHash = await hashPassword(world, `${'漢字 '.repeat(60)}a `);
  expect(await verifyPassword(longHash, `${'漢字 '.repeat(60)}a `)).toBe(true);
  expect(await verifyPassword(longHash, `${'漢字 '.repeat(60)}a`)).toBe(false);
  expect(await verifyPassword(longHash, `${'漢字 '.repeat(60)}b `)).toBe(false);
  expect(await verifyPassword(null, 'correct horse battery')).toBe(false);
  expect(await verifyPassword('not a hash', 'not a hash')).toBe(false);
});

test('verifies a hash with other cost parameters', async () => {
  const nonce = Buffer.from('sixteen bytes ok');
  const costs = { memory: 64, passes: 3, parallelism: 2, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: Buffer.from('old'), nonce, ...costs });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  expect(await verifyPassword(`$argon2id$v=19$m=64,t=3,p=2$${salt}$${hash}`, 'old')).toBe(true);
});

test('two hashes of one password differ', async () => {
  expect(await hashPassword(world, 'twice')).not.toBe(await hashPassword(world, 'twice'));
});
