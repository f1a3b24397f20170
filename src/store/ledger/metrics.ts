// Only this file writes `ledger_figures`: sums for the ledger's metrics. Each update adds the
// entries that were sealed since the previous update.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { inTransaction, sqlOf } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';
import { toSqlTime } from './parameters.ts';

export type LedgerMetricsRow = Readonly<Selectable<Schema['ledger_figures']>>;

/** Null before the first count. */
export async function readLedgerMetricsRow(db: Db): Promise<LedgerMetricsRow | null> {
  const row = await sqlOf(db).selectFrom('ledger_figures').selectAll().executeTakeFirst();
  return row ?? null;
}

/** Does nothing when another worker has updated the sums meanwhile. */
export async function updateLedgerMetricsRow(db: Db, now: number): Promise<void> {
  // Null when the count exceeds its time limit; the other sums are updated without it.
  const holds = await countHoldsByAge(db, now).catch(() => null);
  await sql`
    WITH before AS (
      SELECT coalesce(max(through), 0) AS through,
        coalesce(max(captured_allowance), 0) AS allowance,
        coalesce(max(captured_voucher), 0) AS voucher, coalesce(max(captured_cash), 0) AS cash
      FROM ledger_figures
    ), sealed AS (
      SELECT coalesce(max(last_seq), 0) AS last, coalesce(sum(entries), 0)::bigint AS entries
      FROM seals
    ), fresh AS (
      SELECT
        coalesce(sum(m.amount) FILTER (WHERE m.source LIKE 'held:allowance:%'), 0) AS allowance,
        coalesce(sum(m.amount) FILTER (WHERE m.source LIKE 'held:voucher:%'), 0) AS voucher,
        coalesce(sum(m.amount) FILTER (WHERE m.source = 'held:cash'), 0) AS cash
      FROM entries e CROSS JOIN LATERAL unnest(e.sources, e.targets, e.amounts)
        AS m(source, target, amount)
      WHERE e.seq > (SELECT through FROM before) AND e.seq <= (SELECT last FROM sealed)
        AND e.kind = 'capture' AND e.livemode AND m.target LIKE 'revenue:%'
    ), unsealed AS (
      SELECT count(*) AS entries FROM entries WHERE seq > (SELECT last FROM sealed)
    ), jobs AS (
      SELECT coalesce(jsonb_object_agg(j.status, j.count), '{}') AS counts
      FROM (SELECT status, count(*) AS count FROM jobs GROUP BY status) AS j
    )
    INSERT INTO ledger_figures AS f (only_row, at, through, entries, unsealed, captured_allowance,
      captured_voucher, captured_cash, holds, jobs)
    SELECT true, ${toSqlTime(now)}::timestamptz, sealed.last, sealed.entries + unsealed.entries,
      unsealed.entries, before.allowance + fresh.allowance, before.voucher + fresh.voucher,
      before.cash + fresh.cash, ${holds === null ? null : JSON.stringify(holds)}::jsonb, jobs.counts
    FROM before, sealed, fresh, unsealed, jobs
    ON CONFLICT (only_row) DO UPDATE SET at = excluded.at, through = excluded.through,
      entries = excluded.entries, unsealed = excluded.unsealed,
      captured_allowance = excluded.captured_allowance,
      captured_voucher = excluded.captured_voucher, captured_cash = excluded.captured_cash,
      holds = excluded.holds, jobs = excluded.jobs
    WHERE f.through = (SELECT through FROM before)`.execute(sqlOf(db));
}

const AGES_MINUTES = [1, 5, 30] as const;
const QUERY_TIMEOUT_MS = 3_000;

/** Number of open holds by minimum age in minutes. */
async function countHoldsByAge(db: Db, now: number): Promise<Readonly<Record<string, number>>> {
  return inTransaction(db, async (tx) => {
    // The plan must start from the few deadlines, never from the calls.
    await sql`SET LOCAL enable_seqscan = off`.execute(sqlOf(tx));
    await sql`SET LOCAL enable_hashjoin = off`.execute(sqlOf(tx));
    await sql`SET LOCAL enable_mergejoin = off`.execute(sqlOf(tx));
    await sql`SET LOCAL statement_timeout = ${sql.lit(QUERY_TIMEOUT_MS)}`.execute(sqlOf(tx));
    const since = (minutes: number) => sql`${toSqlTime(now - minutes * 60_000)}::timestamptz`;
    const counts = AGES_MINUTES.map(
      (minutes) => sql`count(*) FILTER (WHERE c.opened_at <= ${since(minutes)}) AS
        ${sql.ref(String(minutes))}`,
    );
    const { rows } = await sql<Record<string, number>>`
      SELECT ${sql.join(counts)}
      FROM (SELECT DISTINCT account_id, livemode, opened_at FROM deadlines
        WHERE opened_at <= ${since(1)}) AS d
      JOIN calls c ON c.account_id = d.account_id AND c.livemode = d.livemode
        AND c.opened_at = d.opened_at
      WHERE c.state IN ('held', 'unknown')`.execute(sqlOf(tx));
    return rows[0] ?? {};
  });
}
