// Only this file writes the token usage of chat calls: `relay_usage` (single calls) and
// `relay_usage_days` (sums of past days).
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type RelayUsageRow = Readonly<Selectable<Schema['relay_usage']>>;

/**
 * A call that is stored already is not counted again. All rows are one parameter, because a busy
 * process writes hundreds of rows at once.
 */
export async function insertRelayUsage(db: Db, rows: readonly RelayUsageRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ model, started_at, ...row }) => ({
    ...row,
    // The model's name comes from the caller. U+0000 or half a surrogate pair in one row would make
    // the whole insert fail.
    model: model.replaceAll('\0', '\ufffd').toWellFormed(),
    started_at: toTimestamp(started_at),
  }));
  await sql`
    INSERT INTO relay_usage
    SELECT * FROM jsonb_populate_recordset(NULL::relay_usage, ${JSON.stringify(values)})
    ON CONFLICT DO NOTHING`.execute(sqlOf(db));
}

/**
 * Replaces up to `max` calls that began before `before` by one row per day, key and model, and
 * returns their number. It is one statement, so no call is counted twice or lost.
 */
export async function foldRelayUsage(db: Db, before: number, max: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    WITH deleted AS (
      DELETE FROM relay_usage WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM relay_usage WHERE started_at < ${toTimestamp(before)} LIMIT ${max}
        FOR UPDATE SKIP LOCKED))
      RETURNING *
    ), folded AS (
      INSERT INTO relay_usage_days AS d (day, key_id, model, account_id, livemode, calls, completed,
        estimated, prompt_tokens, completion_tokens, duration_ms, charge, cost, costed)
      SELECT ${dayExpression}, key_id, model, min(account_id), bool_and(livemode), count(*),
        count(*) FILTER (WHERE ended = 'completed'),
        count(*) FILTER (WHERE counted = 'estimated'), sum(prompt_tokens)::bigint,
        sum(completion_tokens)::bigint, sum(duration_ms)::bigint, coalesce(sum(charge), 0)::bigint,
        coalesce(sum(cost), 0)::bigint, count(cost)
      FROM deleted GROUP BY 1, 2, 3
      ON CONFLICT (day, key_id, model) DO UPDATE SET calls = d.calls + excluded.calls,
        completed = d.completed + excluded.completed, estimated = d.estimated + excluded.estimated,
        prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
        completion_tokens = d.completion_tokens + excluded.completion_tokens,
        duration_ms = d.duration_ms + excluded.duration_ms, charge = d.charge + excluded.charge,
        cost = d.cost + excluded.cost, costed = d.costed + excluded.costed
    )
    SELECT count(*) AS calls FROM deleted`.execute(sqlOf(db));
  return rows[0]?.calls ?? 0;
}

/** Whether single calls that began before `before` are stored. */
export async function hasRelayUsage(db: Db, before: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    SELECT EXISTS (SELECT FROM relay_usage WHERE started_at < ${toTimestamp(before)}) AS has
  `.execute(sqlOf(db));
  return rows[0]?.has ?? false;
}

const dayExpression = sql`to_char(started_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD')`;

export type RelayUsageGroup = 'day' | 'model' | 'account' | 'key';

export type RelayUsageSum = {
  /** A day (YYYY-MM-DD, Asia/Shanghai), a model, or the id of an account or a key. */
  readonly group: string;
  readonly calls: number;
  readonly completed: number;
  /** Number of calls with tokens estimated from the streamed text. */
  readonly estimated: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Micro-fen that customers were charged. */
  readonly charge: bigint;
  /** Micro-fen that upstreams charge for the calls with a known cost. */
  readonly cost: bigint;
  /** Number of calls with a known cost. */
  readonly costed: number;
};

const groups = { day: 'day', model: 'model', account: 'account_id', key: 'key_id' } as const;

/**
 * Calls of both tables that began on these days, `from` and `to` inclusive. `wallet` null: the live
 * calls of all accounts.
 */
export async function sumRelayUsage(
  db: Db,
  query: {
    readonly wallet: { readonly accountId: string; readonly livemode: boolean } | null;
    readonly from: string;
    readonly to: string;
    /** Start of the first day and end of the last day. */
    readonly startsAt: number;
    readonly endsAt: number;
    readonly groupBy: RelayUsageGroup;
    readonly limit: number;
  },
): Promise<readonly RelayUsageSum[]> {
  const { wallet, from, to, startsAt, endsAt, groupBy, limit } = query;
  const usageCondition =
    wallet === null
      ? sql`livemode`
      : sql`account_id = ${wallet.accountId} AND livemode = ${wallet.livemode}`;
  const order = groupBy === 'day' ? sql`1` : sql`calls DESC, 1`;
  type Row = Omit<RelayUsageSum, 'charge' | 'cost'> & {
    readonly charge: string;
    readonly cost: string;
  };
  const { rows } = await sql<Row>`
    SELECT u.${sql.ref(groups[groupBy])} AS "group", sum(calls)::bigint AS calls,
      sum(completed)::bigint AS completed, sum(estimated)::bigint AS estimated,
      sum(prompt_tokens)::bigint AS "promptTokens",
      sum(completion_tokens)::bigint AS "completionTokens", sum(charge)::text AS charge,
      sum(cost)::text AS cost, sum(costed)::bigint AS costed
    FROM (
      SELECT day, key_id, model, account_id, calls, completed, estimated, prompt_tokens,
        completion_tokens, charge, cost, costed
      FROM relay_usage_days WHERE ${usageCondition} AND day >= ${from} AND day <= ${to}
      UNION ALL
      SELECT ${dayExpression}, key_id, model, account_id, 1, (ended = 'completed')::int,
        (counted = 'estimated')::int, prompt_tokens, completion_tokens, coalesce(charge, 0),
        coalesce(cost, 0), (cost IS NOT NULL)::int
      FROM relay_usage WHERE ${usageCondition} AND started_at >= ${toTimestamp(startsAt)}
        AND started_at < ${toTimestamp(endsAt)}
    ) AS u
    GROUP BY 1 ORDER BY ${order} LIMIT ${limit}`.execute(sqlOf(db));
  return rows.map((row) => ({ ...row, charge: BigInt(row.charge), cost: BigInt(row.cost) }));
}

export type RelayUsageQuality = {
  readonly upstreams: readonly {
    readonly upstream: string;
    readonly calls: number;
    /** Number of calls with tokens estimated from the streamed text. */
    readonly estimated: number;
    /** Number of calls with impossible token counts. */
    readonly contradictory: number;
  }[];
  /** Micro-fen by which usage exceeded the hold of its call, and the number of such calls. */
  readonly shortfall: bigint;
  readonly shortfallCalls: number;
};

/**
 * Live calls that began at `since` or later. The sums by upstream do not contain the calls that
 * `foldRelayUsage` has already added to sums of days.
 */
export async function readRelayUsageQuality(db: Db, since: number): Promise<RelayUsageQuality> {
  const from = toTimestamp(since);
  const { rows: upstreams } = await sql<RelayUsageQuality['upstreams'][number]>`
    SELECT upstream, count(*) AS calls, count(*) FILTER (WHERE counted = 'estimated') AS estimated,
      count(*) FILTER (WHERE counted = 'contradictory') AS contradictory
    FROM relay_usage WHERE livemode AND started_at >= ${from} GROUP BY 1 ORDER BY 2 DESC, 1
  `.execute(sqlOf(db));
  const { rows } = await sql<{ shortfall: string | null; calls: number }>`
    SELECT sum((usage ->> 'shortfall')::bigint)::text AS shortfall, count(*) AS calls
    FROM calls WHERE livemode AND unit = 'per_token' AND opened_at >= ${from}
      AND usage ? 'shortfall'`.execute(sqlOf(db));
  const [sum] = rows;
  return { upstreams, shortfall: BigInt(sum?.shortfall ?? 0), shortfallCalls: sum?.calls ?? 0 };
}
