// Only this file writes `sign_in_tries`: rate limits for sign-in and for other guessable or
// expensive actions. All processes share the limits, which survive restarts. Keys are stored as
// hashes. The algorithm is `takeOne` of the kernel.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { AttemptLimit } from '../../kernel/crypto/second-factor.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { type RateLimit, takeOne } from '../../kernel/rate-limit/gcra.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction, sqlOf } from '../platform/db.ts';

/** Number of expired rows deleted with each attempt; more than an attempt can add. */
const SWEEP_ROWS = 20;

export type AttemptKey = readonly [key: string, rate: RateLimit];

/**
 * Takes one attempt of each limit in order. A refusal undoes the attempts before it. Returns 0, or
 * the delay in ms until the refused limit allows an attempt.
 */
export async function takeAttempts(
  db: Db,
  now: number,
  attemptKeys: readonly AttemptKey[],
): Promise<number> {
  for (const [index, [key, rate]] of attemptKeys.entries()) {
    const { isAllowed, waitMs } = await takeAttempt(db, now, key, rate);
    if (isAllowed) continue;
    await undoAttempts(db, attemptKeys.slice(0, index));
    return waitMs;
  }
  return 0;
}

/**
 * Removes attempts from the count: after a success, because only failures count, and after the
 * refusal of another limit.
 */
export async function undoAttempts(db: Db, attemptKeys: readonly AttemptKey[]): Promise<void> {
  for (const [key, rate] of attemptKeys) {
    const interval = 1000 / rate.perSecond;
    await sql`UPDATE sign_in_tries SET arrives_at = arrives_at - ${interval}
      WHERE key = ${hashOf(key)}`.execute(sqlOf(db));
  }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest();

/** Takes one attempt while its row is locked. `key` is the person or the target of the attempt. */
export async function takeAttempt(
  db: Db,
  now: number,
  key: string,
  rate: RateLimit,
): Promise<{ readonly isAllowed: boolean; readonly waitMs: number }> {
  const hash = hashOf(key);
  return inTransaction(db, async (tx) => {
    await sql`DELETE FROM sign_in_tries WHERE key IN (
      SELECT key FROM sign_in_tries WHERE arrives_at < ${now} ORDER BY arrives_at
      LIMIT ${SWEEP_ROWS} FOR UPDATE SKIP LOCKED)`.execute(sqlOf(tx));
    const { rows } = await sql<{ arrivesAt: number }>`
      INSERT INTO sign_in_tries (key, arrives_at) VALUES (${hash}, ${now})
      ON CONFLICT (key) DO UPDATE SET key = excluded.key
      RETURNING arrives_at AS "arrivesAt"`.execute(sqlOf(tx));
    const limitResult = takeOne(rate, rows[0]?.arrivesAt ?? null, now);
    await sqlOf(tx)
      .updateTable('sign_in_tries')
      .set({ arrives_at: limitResult.arrivesAt })
      .where('key', '=', hash)
      .execute();
    return limitResult;
  });
}

/** The limit as an interface, for code that takes one attempt at a time, such as one-time codes. */
export function attemptLimit({ clock }: World, db: Db): AttemptLimit {
  return {
    takeAttempt: (key, rate) => takeAttempts(db, clock.now(), [[key, rate]]),
    undoAttempt: (key, rate) => undoAttempts(db, [[key, rate]]),
  };
}
