// The shared password of the operators. The first start creates it and the command line changes it.
// A change signs all operators out.

import { hashPassword, passwordLength } from '../kernel/crypto/password.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import {
  insertOperatorPassword,
  operatorPasswordHash,
  replaceOperatorPassword,
} from '../store/operators/operator-sessions.ts';
import { inTransaction } from '../store/platform/db.ts';

/** Twenty random characters. */
export const newPassword = ({ random }: World): string =>
  Buffer.from(random.bytes(15)).toString('base64url');

/**
 * Creates a password when none exists. `keep` stores it for the owner before the commit; a lost
 * password would lock all operators out.
 */
export async function makeFirstPassword(
  world: World,
  db: Db,
  keep: (password: string) => void,
): Promise<void> {
  if ((await operatorPasswordHash(db)) !== null) return;
  const password = newPassword(world);
  const hash = await hashPassword(world, password);
  await inTransaction(db, async (tx) => {
    if (await insertOperatorPassword(tx, hash, world.clock.now())) keep(password);
  });
}

export type SetPassword = { readonly kind: 'set' } | { readonly kind: 'invalid'; problem: string };

export async function setOperatorPassword(
  world: World,
  db: Db,
  password: string,
): Promise<SetPassword> {
  const { min, max } = passwordLength;
  const length = [...password].length;
  if (length < min || length > max) {
    return { kind: 'invalid', problem: `A password has ${min} to ${max} characters.` };
  }
  const hash = await hashPassword(world, password);
  await inTransaction(db, (tx) => replaceOperatorPassword(tx, hash, world.clock.now()));
  return { kind: 'set' };
}
