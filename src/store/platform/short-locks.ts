// Changes the schema beside a running service. A statement may wait for its lock behind a long
// reader, such as a backup. Every later query of that table then waits behind the statement. The
// wait is therefore short and repeated, and other queries run between two attempts.
import { sql } from 'kysely';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction, sqlOf } from './db.ts';

/** Less than the 1.5 s that a request waits for the database. */
const LOCK_MS = 500;
const PAUSE_MS = 2_000;
/** PostgreSQL's lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs `change` in a transaction of its own, and repeats it until its locks are free. Within
 * another transaction, `change` runs once and waits, because a failure would end the outer
 * transaction.
 */
export async function withShortLocks<T>(
  world: World,
  db: Db,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  if (sqlOf(db).isTransaction) return change(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(db, change);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === 1) {
        world.log.warn(
          { reason: messageOf(error) },
          'a schema change waits for other transactions',
        );
      }
      await world.clock.sleep(PAUSE_MS);
    }
  }
}

/** Limits the waits for locks to a short time, for the rest of the transaction. */
export async function shortenLockWaits(tx: Db): Promise<void> {
  const query = sqlOf(tx);
  await sql.raw(`SET LOCAL lock_timeout = ${LOCK_MS}`).execute(query);
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
