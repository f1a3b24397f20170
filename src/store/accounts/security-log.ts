// Only this file writes `account_security_log`: security events of accounts. The database refuses
// changes of a row, and deletions outside of an erasure.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, inTransaction, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type SecurityEventRow = Readonly<Selectable<Schema['account_security_log']>>;

export async function insertSecurityEvent(tx: Db, row: SecurityEventRow): Promise<void> {
  await sqlOf(tx)
    .insertInto('account_security_log')
    .values({ ...row, at: toTimestamp(row.at) })
    .execute();
}

/** The position of a row in the order of time. */
export type SecurityLogPosition = Pick<SecurityEventRow, 'at' | 'id'>;

/** Returns events, newest first. `last`: only older events than this one; null: no limit. */
export async function listSecurityEvents(
  db: Db,
  accountId: string,
  { last, limit }: { readonly last: SecurityLogPosition | null; readonly limit: number },
): Promise<readonly SecurityEventRow[]> {
  let query = sqlOf(db)
    .selectFrom('account_security_log')
    .selectAll()
    .where('account_id', '=', accountId);
  if (last !== null) {
    query = query.where(sql<boolean>`(at, id) < (${instant(last.at)}, ${last.id})`);
  }
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Deletes the events before an instant. */
export async function deleteSecurityEvents(db: Db, before: number): Promise<void> {
  await inTransaction(db, (tx) =>
    withErasureAllowed(tx, async () => {
      const query = sqlOf(tx).deleteFrom('account_security_log');
      await query.where('at', '<', instant(before)).execute();
    }),
  );
}

/** Deletes the log of a deleted account in the caller's transaction. */
export const eraseSecurityLog = (tx: Db, accountId: string): Promise<void> =>
  withErasureAllowed(tx, async () => {
    const query = sqlOf(tx).deleteFrom('account_security_log');
    await query.where('account_id', '=', accountId).execute();
  });

/** The table's trigger permits deletions only while this setting is on. */
async function withErasureAllowed(tx: Db, work: () => Promise<void>): Promise<void> {
  await sql`SELECT set_config('radar.erasure', 'on', true)`.execute(sqlOf(tx));
  await work();
  await sql`SELECT set_config('radar.erasure', 'off', true)`.execute(sqlOf(tx));
}
