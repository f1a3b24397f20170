// The operators' one password: made by the first start, changed from the command line. Whoever
// changes it signs everybody out.

import { hashPassword, passwordLength } from '../kernel/crypto/password.ts';
import type { Db } from '../kernel/ports/db.ts';
import type { World } from '../kernel/world.ts';
import {
  insertOperatorPassword,
  operatorPasswordHash,
  replaceOperatorPassword,
} from '../store/operators/operator-sessions.ts';
import { inTransaction } from '../store/platform/db.ts';

/** Twenty characters that nobody guesses. */
export const newPassword = ({ random }: World): string =>
  Buffer.from(random.bytes(15)).toString('base64url');

/**
 * Makes a password when there is none. `keep` writes it down where its owner finds it, before it
 * is committed: one that nobody knows would lock everybody out.
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
