// Computes the stored hash of a key: an HMAC with a secret of the installation. Without this
// secret, access to the table does not suffice to guess a key or to insert a key that works.
import { createHmac, createSecretKey } from 'node:crypto';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { readSharedSecret } from '../../store/platform/secrets.ts';

export type KeyHash = (text: string) => Buffer;

export async function openKeyHash(world: World, db: Db): Promise<KeyHash> {
  // The key object is created once, because its creation takes four times as long as a hash.
  const pepperKey = createSecretKey(await readSharedSecret(world, db, 'api keys'));
  return (text) => createHmac('sha256', pepperKey).update(text).digest();
}
