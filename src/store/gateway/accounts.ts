// Only this file writes `accounts`: the customers of the gateway.
import { type Selectable, sql } from 'kysely';
import { assert } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type AccountRow = Readonly<Selectable<Schema['accounts']>>;
export type AccountStatus = AccountRow['status'];

/** False when another account has that address. */
export async function insertAccount(db: Db, row: AccountRow): Promise<boolean> {
  const result = await sqlOf(db)
    .insertInto('accounts')
    .values({
      ...row,
      created_at: toTimestamp(row.created_at),
      deleted_at: toTimestampOrNull(row.deleted_at),
      erase_at: toTimestampOrNull(row.erase_at),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** By id, or by address in lower case. Optionally locks the row until the transaction ends. */
export async function findAccountRow(
  db: Db,
  idOrEmail: string,
  { lock = false } = {},
): Promise<AccountRow | null> {
  const row = await sqlOf(db)
    .selectFrom('accounts')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrEmail), where('email', '=', idOrEmail)]))
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row ?? null;
}

/** For typed addresses: an id is never accepted in place of an address. */
export async function findAccountRowByEmail(db: Db, email: string): Promise<AccountRow | null> {
  const row = await findAccountRow(db, email);
  return row?.email === email ? row : null;
}

/** Oldest first. */
export async function listAccountRows(db: Db): Promise<readonly AccountRow[]> {
  return sqlOf(db).selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Oldest deletion first. */
export async function listDeletedAccounts(
  db: Db,
): Promise<readonly { readonly id: string; readonly deletedAt: number }[]> {
  const rows = await sqlOf(db)
    .selectFrom('accounts')
    .select(['id', 'deleted_at'])
    .where('status', '=', 'deleted')
    .orderBy('deleted_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, deleted_at }) => {
    assert(deleted_at !== null, 'a deleted account has the time of its deletion');
    return { id, deletedAt: deleted_at };
  });
}

export async function hasAccounts(db: Db): Promise<boolean> {
  const row = await sqlOf(db).selectFrom('accounts').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Locks the account until the caller's transaction ends. False: the account does not exist. */
export async function lockAccount(tx: Db, id: string): Promise<boolean> {
  const row = await sqlOf(tx)
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the account does not exist or is deleted. */
export async function updateAccount(
  db: Db,
  id: string,
  change: Partial<
    Pick<
      AccountRow,
      | 'status'
      | 'password_hash'
      | 'calls_per_day'
      | 'calls_per_month'
      | 'awaits_verification'
      | 'language'
      | 'totp_secret'
      | 'totp_step'
      | 'alert_mails'
    >
  >,
): Promise<boolean> {
  const result = await sqlOf(db)
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** `isConfirmed` false: the account stays as it is. Rejects when the address is taken. */
export async function changeAccountEmail(
  db: Db,
  id: string,
  { email, isConfirmed }: { readonly email: string; readonly isConfirmed: boolean },
): Promise<void> {
  await sqlOf(db)
    .updateTable('accounts')
    .set(isConfirmed ? { email, awaits_verification: false } : { email })
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .execute();
}

/** An error code of PostgreSQL. Only the address and the id of an account are unique. */
const UNIQUE_VIOLATION = '23505';

/** Whether a write failed because another account has the address. */
export function isAddressTaken(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === UNIQUE_VIOLATION;
}

/** Sign-ups of a network since an instant. The lock delays concurrent sign-ups of that network. */
export async function countSignUps(tx: Db, network: string, since: number): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sign-up ${network}`}, 0))`.execute(
    sqlOf(tx),
  );
  const { count } = await sqlOf(tx)
    .selectFrom('accounts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('network', '=', network)
    .where('created_at', '>', instant(since))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Uses up the step of a one-time code; false when it or a later step was used before. */
export async function consumeTotpStep(db: Db, id: string, step: number): Promise<boolean> {
  const result = await sqlOf(db)
    .updateTable('accounts')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where('totp_secret', 'is not', null)
    .where((where) => where.or([where('totp_step', 'is', null), where('totp_step', '<', step)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks an account as deleted and empties its row. `email`: a placeholder without a mailbox. */
export async function markAccountDeleted(
  tx: Db,
  id: string,
  {
    email,
    now,
    eraseAt,
  }: { readonly email: string; readonly now: number; readonly eraseAt: number },
): Promise<void> {
  await sqlOf(tx)
    .updateTable('accounts')
    .set({
      email,
      status: 'deleted',
      password_hash: '',
      awaits_verification: true,
      language: null,
      network: null,
      totp_secret: null,
      totp_step: null,
      alert_mails: false,
      deleted_at: toTimestamp(now),
      erase_at: toTimestamp(eraseAt),
    })
    .where('id', '=', id)
    .execute();
}

export type DueErasure = {
  readonly id: string;
  readonly deletedAt: number;
  readonly eraseAt: number;
};

/** A deleted account whose next erasure is due, locked for this transaction; null: none is due. */
export async function lockDueErasure(tx: Db, now: number): Promise<DueErasure | null> {
  const row = await sqlOf(tx)
    .selectFrom('accounts')
    .select(['id', 'deleted_at', 'erase_at'])
    .where('erase_at', '<=', instant(now))
    .orderBy('erase_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return null;
  return { id: row.id, deletedAt: row.deleted_at ?? now, eraseAt: row.erase_at ?? now };
}

/** Sets the time of the erasure; null: the erasure is complete. */
export async function planErasure(tx: Db, id: string, at: number | null): Promise<void> {
  await sqlOf(tx)
    .updateTable('accounts')
    .set({ erase_at: toTimestampOrNull(at) })
    .where('id', '=', id)
    .execute();
}
