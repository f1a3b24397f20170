// Customers of the gateway: the only writer of `accounts`.
import type { Selectable } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { sqlOf, toTimestamp } from './db.ts';
import type { Schema } from './schema.ts';

export type AccountRow = Readonly<Selectable<Schema['accounts']>>;

/** False when there is an account of that address already. */
export async function insertAccount(db: Db, row: AccountRow): Promise<boolean> {
  const result = await sqlOf(db)
    .insertInto('accounts')
    .values({ ...row, created_at: toTimestamp(row.created_at) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** By id, or by address in lower case. */
export async function findAccountRow(db: Db, idOrEmail: string): Promise<AccountRow | null> {
  const row = await sqlOf(db)
    .selectFrom('accounts')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrEmail), where('email', '=', idOrEmail)]))
    .executeTakeFirst();
  return row ?? null;
}

/** Oldest first. */
export async function listAccountRows(db: Db): Promise<readonly AccountRow[]> {
  return sqlOf(db).selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}

export async function hasAccounts(db: Db): Promise<boolean> {
  const row = await sqlOf(db).selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** False without such an account. */
export async function updateAccount(
  db: Db,
  id: string,
  change: Partial<
    Pick<AccountRow, 'status' | 'password_hash' | 'calls_per_day' | 'calls_per_month'>
  >,
): Promise<boolean> {
  const result = await sqlOf(db)
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
