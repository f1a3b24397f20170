// Only this file writes `model_standings`: the request rate of each model. All workers share the
// rate, so together they stay within the limits of the server.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { Dialect } from '../schema/model.ts';

export type { Dialect };

export type ModelRateState = {
  /** The next request starts at this time at the earliest, epoch milliseconds. */
  readonly nextAt: number;
  /** Interval between two requests, ms; 0: no limit was observed. */
  readonly intervalMs: number;
  readonly dialect: Dialect;
};

export async function findRateState(db: Db, model: string): Promise<ModelRateState | null> {
  const row = await sqlOf(db)
    .selectFrom('model_standings')
    .select(['next_at', 'pace_ms', 'dialect'])
    .where('model', '=', model)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { nextAt: row.next_at, intervalMs: row.pace_ms, dialect: row.dialect };
}

export async function insertRateState(
  db: Db,
  model: string,
  rateState: ModelRateState,
): Promise<void> {
  await sqlOf(db)
    .insertInto('model_standings')
    .values({
      model,
      next_at: toTimestamp(rateState.nextAt),
      pace_ms: rateState.intervalMs,
      dialect: JSON.stringify(rateState.dialect),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Reserves the time of the next request, and at least `gapMs` after it. Null: the request would
 * wait longer than `maxWaitMs`, and nothing was reserved.
 */
export async function reserveRequestTime(
  db: Db,
  model: string,
  options: { readonly now: number; readonly gapMs: number; readonly maxWaitMs: number },
): Promise<number | null> {
  const now = toTimestamp(options.now);
  const latest = toTimestamp(options.now + options.maxWaitMs);
  // A clock that was set back by an hour must not delay requests by an hour.
  const requestTime = sql`CASE WHEN next_at > ${toTimestamp(options.now + 3_600_000)}::timestamptz
    THEN ${now}::timestamptz ELSE greatest(next_at, ${now}::timestamptz) END`;
  const row = await sqlOf(db)
    .updateTable('model_standings')
    .set({
      next_at: sql<Date>`${requestTime}
        + greatest(pace_ms, ${options.gapMs}::float8) * interval '1 ms'`,
    })
    .where('model', '=', model)
    .where(sql<boolean>`${requestTime} <= ${latest}::timestamptz`)
    .returning(
      sql<number>`next_at - greatest(pace_ms, ${options.gapMs}::float8) * interval '1 ms'`.as('at'),
    )
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * No request is sent before `until`. A `factor` above 1 multiplies the current interval, or
 * `minIntervalMs` when it is larger. The interval is at most one minute.
 */
export async function increaseInterval(
  db: Db,
  model: string,
  change: { readonly until: number; readonly factor: number; readonly minIntervalMs: number },
): Promise<void> {
  await sqlOf(db)
    .updateTable('model_standings')
    .set({
      next_at: sql<Date>`greatest(next_at, ${toTimestamp(change.until)}::timestamptz)`,
      pace_ms: sql<number>`least(60000, CASE WHEN ${change.factor}::float8 > 1
        THEN greatest(pace_ms, ${change.minIntervalMs}::float8) * ${change.factor}::float8
        ELSE pace_ms END)`,
    })
    .where('model', '=', model)
    .execute();
}

/** Reduces the interval after a time without refusals. Below 20 ms it becomes 0: no limit. */
export async function decreaseInterval(db: Db, model: string, factor: number): Promise<void> {
  await sqlOf(db)
    .updateTable('model_standings')
    .set({
      pace_ms: sql<number>`CASE WHEN pace_ms * ${factor}::float8 < 20 THEN 0
        ELSE pace_ms * ${factor}::float8 END`,
    })
    .where('model', '=', model)
    .execute();
}

export async function saveDialect(db: Db, model: string, dialect: Dialect): Promise<void> {
  await sqlOf(db)
    .updateTable('model_standings')
    .set({ dialect: JSON.stringify(dialect) })
    .where('model', '=', model)
    .execute();
}
