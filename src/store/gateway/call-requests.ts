// Only this file writes `call_requests` (the requests of capability calls) and `request_log_off`
// (accounts without this log).
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, inTransaction, sqlOf } from '../platform/db.ts';

export type CallRequestRow = {
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  /** JSON. */
  readonly body: string;
  readonly isRedacted: boolean;
  readonly keptUntil: number;
};

/** Skips requests of accounts that have switched the log off. */
export async function insertCallRequests(db: Db, rows: readonly CallRequestRow[]): Promise<void> {
  const column = <T>(pick: (row: CallRequestRow) => T) => rows.map(pick);
  await sql`
    INSERT INTO call_requests (request_id, account_id, livemode, body, is_redacted, kept_until)
    SELECT * FROM unnest(${column((row) => row.requestId)}::text[],
      ${column((row) => row.accountId)}::text[], ${column((row) => row.livemode)}::boolean[],
      ${column((row) => row.body)}::text[], ${column((row) => row.isRedacted)}::boolean[],
      ${column((row) => new Date(row.keptUntil))}::timestamptz[]) AS t(request_id, account_id)
    WHERE NOT EXISTS (SELECT FROM request_log_off o WHERE o.account_id = t.account_id)
    ON CONFLICT DO NOTHING`.execute(sqlOf(db));
}

/** Null: not stored, or deleted. */
export async function readCallRequest(
  db: Db,
  query: { readonly accountId: string; readonly livemode: boolean; readonly requestId: string },
  now: number,
): Promise<{ readonly body: string; readonly isRedacted: boolean } | null> {
  const row = await sqlOf(db)
    .selectFrom('call_requests')
    .select(['body', 'is_redacted as isRedacted'])
    .where('request_id', '=', query.requestId)
    .where('account_id', '=', query.accountId)
    .where('livemode', '=', query.livemode)
    .where('kept_until', '>', instant(now))
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteExpiredCallRequests(db: Db, now: number): Promise<void> {
  await sqlOf(db).deleteFrom('call_requests').where('kept_until', '<=', instant(now)).execute();
}

export async function isRequestLogOff(db: Db, accountId: string): Promise<boolean> {
  const row = await sqlOf(db)
    .selectFrom('request_log_off')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Switching the log off also deletes the account's stored requests. */
export async function setRequestLogOff(db: Db, accountId: string, isOff: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    const query = sqlOf(tx);
    if (!isOff) {
      await query.deleteFrom('request_log_off').where('account_id', '=', accountId).execute();
      return;
    }
    await query
      .insertInto('request_log_off')
      .values({ account_id: accountId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await query.deleteFrom('call_requests').where('account_id', '=', accountId).execute();
  });
}

/** Deletes the stored requests of a deleted account. */
export async function deleteCallRequests(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx).deleteFrom('call_requests').where('account_id', '=', accountId).execute();
}

/** Deletes the row by which a deleted account had switched its request log off. */
export async function deleteRequestLogOff(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx).deleteFrom('request_log_off').where('account_id', '=', accountId).execute();
}
