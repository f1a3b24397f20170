// The operators' password and who is signed in, as hashes: the only writer of `operator_password`
// and `operator_sessions`.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

type SessionRow = Readonly<Selectable<Schema['operator_sessions']>>;

export async function operatorPasswordHash(db: Db): Promise<string | null> {
  const query = sqlOf(db).selectFrom('operator_password').select('hash');
  return (await query.executeTakeFirst())?.hash ?? null;
}

/** False when there is one already: the first node that starts has set it. */
export async function insertOperatorPassword(db: Db, hash: string, now: number) {
  const inserted = await sqlOf(db)
    .insertInto('operator_password')
    .values({ only_row: true, hash, changed_at: toTimestamp(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('only_row')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Sessions of the old password end. */
export async function replaceOperatorPassword(tx: Db, hash: string, now: number): Promise<void> {
  const row = { hash, changed_at: toTimestamp(now) };
  await sqlOf(tx)
    .insertInto('operator_password')
    .values({ only_row: true, ...row })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute();
  await sqlOf(tx).deleteFrom('operator_sessions').execute();
}

/** Also forgets sessions that have ended. */
export async function insertOperatorSession(db: Db, row: SessionRow): Promise<void> {
  const query = sqlOf(db);
  await query
    .deleteFrom('operator_sessions')
    .where('expires_at', '<=', instant(row.created_at))
    .execute();
  await query
    .insertInto('operator_sessions')
    .values({
      ...row,
      created_at: toTimestamp(row.created_at),
      expires_at: toTimestamp(row.expires_at),
    })
    .execute();
}

/** One that has not ended. */
export async function findOperatorSession(
  db: Db,
  hash: Uint8Array,
  now: number,
): Promise<SessionRow | null> {
  const row = await sqlOf(db)
    .selectFrom('operator_sessions')
    .selectAll()
    .where('hash', '=', Buffer.from(hash))
    .where('expires_at', '>', instant(now))
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteOperatorSession(db: Db, id: string): Promise<void> {
  await sqlOf(db).deleteFrom('operator_sessions').where('id', '=', id).execute();
}
