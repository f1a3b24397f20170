// Ensures that only one process serves each component of an embedded data folder. The lock is a
// session-level advisory lock in the folder's database, so PostgreSQL releases it when the process
// ends.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { connectionOf } from './db.ts';

export type ServeLock =
  | { readonly kind: 'held'; release(): Promise<void> }
  | { readonly kind: 'taken'; readonly part: string; readonly pid: number | null };

/** First number of these advisory locks, equal in all versions of this file. */
const LOCK_CLASS = 4206;

/** Locks all `parts` or none. After a lost connection, a loop acquires the lock again. */
export async function lockServing(
  world: World,
  db: Db,
  parts: readonly string[],
): Promise<ServeLock> {
  const stop = new AbortController();
  const firstAttempt = await tryLock(db, parts);
  if (firstAttempt.kind === 'taken') return firstAttempt;
  let client = firstAttempt.client;
  const lockLoop = (async () => {
    while (!stop.signal.aborted) {
      await Promise.race([waitForEnd(client), waitForAbort(stop.signal)]);
      const lockResult = await relock(world, db, parts, stop.signal);
      if (lockResult === null) return;
      client = lockResult;
    }
  })();
  return {
    kind: 'held',
    release: async () => {
      stop.abort();
      await lockLoop;
      await client
        .end()
        .catch((error) =>
          world.log.debug({ error: messageOf(error) }, 'the serve lock did not close'),
        );
    },
  };
}

/** Null: `release` was called meanwhile, or another process holds the lock. */
async function relock(
  world: World,
  db: Db,
  parts: readonly string[],
  signal: AbortSignal,
): Promise<pg.Client | null> {
  while (!signal.aborted) {
    const lock = await tryLock(db, parts).catch(() => null);
    if (lock?.kind === 'held') return lock.client;
    if (lock?.kind === 'taken') {
      world.log.error(
        { part: lock.part },
        'another process serves this data folder now; stop one of the two',
      );
      return null;
    }
    await world.clock.sleep(500, signal).catch(() => {});
  }
  return null;
}

type LockAttempt =
  | { readonly kind: 'held'; readonly client: pg.Client }
  | { readonly kind: 'taken'; readonly part: string; readonly pid: number | null };

async function tryLock(db: Db, parts: readonly string[]): Promise<LockAttempt> {
  const client = new pg.Client({
    ...connectionOf(db),
    application_name: `radar serve ${process.pid}`,
    // No client waits for this connection, and a starting process may be slow.
    connectionTimeoutMillis: 15_000,
  });
  client.on('error', () => {});
  await client.connect();
  for (const part of parts) {
    const key = createHash('sha256').update(`radar serve ${part}`).digest().readInt32BE(0);
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${LOCK_CLASS}, $1) AS held`, [
      key,
    ]);
    if (rows[0]?.held) continue;
    // The server stores the signed key as an unsigned number.
    const holder = await client.query(
      `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE l.locktype = 'advisory' AND l.classid = ${LOCK_CLASS}
         AND l.objid::int8 = $1::int8 & 4294967295`,
      [key],
    );
    await client.end();
    const pid = Number(/^radar serve (\d+)$/.exec(holder.rows[0]?.name ?? '')?.[1]);
    return { kind: 'taken', part, pid: Number.isInteger(pid) ? pid : null };
  }
  return { kind: 'held', client };
}

const waitForEnd = (client: pg.Client) =>
  new Promise<void>((resolve) => {
    client.once('end', () => resolve());
    client.once('error', () => resolve());
  });

const waitForAbort = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
