// Erases the owner's texts from the calls of an account. Amounts and times stay.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import { toSqlTime } from './parameters.ts';

/** `since` null: all calls of the account. Many calls can exceed the statement timeout. */
export async function eraseCalls(tx: Db, accountId: string, since: number | null): Promise<void> {
  const from = since === null ? '-infinity' : toSqlTime(since);
  await sql`SET LOCAL statement_timeout = 0`.execute(sqlOf(tx));
  await sql`SELECT ledger_erase_calls(${accountId}, ${from}::timestamptz)`.execute(sqlOf(tx));
}
