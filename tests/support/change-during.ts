// Lets a request meet an uncommitted change of the database, in a fixed order.
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';

/**
 * Runs `work` after `change` and before its commit. The commit waits until the work has ended or
 * waits for a lock. `finish`: the end of the change, after this wait.
 */
export async function changeDuring(
  db: Db,
  change: (tx: Db) => Promise<unknown>,
  work: () => Promise<unknown>,
  finish: (tx: Db) => Promise<unknown> = async () => {},
): Promise<void> {
  let pendingWork: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (tx) => {
    await change(tx);
    let hasEnded = false;
    pendingWork = work().finally(() => {
      hasEnded = true;
    });
    const isWaiting = sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect
      .poll(async () => hasEnded || (await isWaiting.execute(sqlOf(db))).rows.length > 0)
      .toBe(true);
    await finish(tx);
  });
  await pendingWork;
}
