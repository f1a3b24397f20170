// Only this file writes `worker_ticks`: the time of the last worker tick. Other processes read the
// time to find out whether a worker runs.
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from './db.ts';

export async function saveWorkerTick(db: Db, at: number): Promise<void> {
  await sqlOf(db)
    .insertInto('worker_ticks')
    .values({ only_row: true, at: toTimestamp(at) })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ at: toTimestamp(at) }))
    .execute();
}

/** Null: no worker has run. */
export async function findWorkerTickAt(db: Db): Promise<number | null> {
  const row = await sqlOf(db).selectFrom('worker_ticks').select('at').executeTakeFirst();
  return row?.at ?? null;
}
