// What chat calls used, in tokens: the only writer of `relay_usage`.
import type { Selectable } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { sqlOf, toTimestamp } from './db.ts';
import type { Schema } from './schema.ts';

export type RelayUsageRow = Readonly<Selectable<Schema['relay_usage']>>;

/** A call that is there already is not counted again. */
export async function insertRelayUsage(db: Db, rows: readonly RelayUsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sqlOf(db)
    .insertInto('relay_usage')
    .values(rows.map((row) => ({ ...row, started_at: toTimestamp(row.started_at) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
