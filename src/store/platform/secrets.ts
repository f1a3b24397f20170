// Reads the secrets of the installation, such as the keys of cursors and of actor hashes. Each
// secret has a name and is the same on all nodes.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { sqlOf } from './db.ts';

/** The 32 bytes of this name; created on first use. */
export async function readSharedSecret(world: World, db: Db, name: string): Promise<Uint8Array> {
  await sqlOf(db)
    .insertInto('secrets')
    .values({ name, value: Buffer.from(world.random.bytes(32)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await sqlOf(db)
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return new Uint8Array(row.value);
}
