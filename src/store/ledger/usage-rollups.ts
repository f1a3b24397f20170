// Only this file writes the `usage_*` tables: sums of calls by day, wallet, key and capability.
// Readers add the calls that no sum contains yet, in the same snapshot. They read the replica.
import { type RawBuilder, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { inSnapshot, inTransaction, readOnlyDb, sqlOf } from '../platform/db.ts';
import type { WalletRef } from './balances.ts';
import { toSqlTime } from './parameters.ts';

export type UsageGroup = 'day' | 'capability' | 'key' | 'day capability' | 'day key';
export type RevenueGroup = 'day' | 'account' | 'capability';
export type UsageRow = {
  /** A day (YYYY-MM-DD), a capability or an id; or two of these with a space between. */
  readonly group: string;
  /** Started calls, failed calls included. */
  readonly calls: number;
  readonly succeeded: number;
  /** Billed units of the calls that succeeded. */
  readonly units: number;
  /** Charged amount by source. */
  readonly allowance: bigint;
  readonly voucher: bigint;
  readonly cash: bigint;
};

/** The first and the last day (YYYY-MM-DD) on which the calls were authorized. */
export type UsageDays = { readonly from: string; readonly to: string };

const usageGroups: Readonly<Record<UsageGroup, RawBuilder<string>>> = {
  day: sql`u.day`,
  capability: sql`u.capability`,
  key: sql`u.key_id`,
  'day capability': sql`u.day || ' ' || u.capability`,
  'day key': sql`u.day || ' ' || u.key_id`,
};

const revenueGroups: Readonly<Record<RevenueGroup, RawBuilder<string>>> = {
  day: sql`u.day`,
  account: sql`u.account_id`,
  capability: sql`u.capability`,
};

export async function readUsage(
  db: Db,
  wallet: WalletRef,
  range: UsageDays & { readonly groupBy: UsageGroup },
): Promise<readonly UsageRow[]> {
  const where = sql`account_id = ${wallet.accountId} AND livemode = ${wallet.livemode}`;
  return sumUsage(db, range, { group: usageGroups[range.groupBy], where });
}

/**
 * Sums over all accounts in live mode. Each group is followed by a space and a capability.
 */
export async function readRevenue(
  db: Db,
  range: UsageDays & { readonly groupBy: RevenueGroup },
): Promise<readonly UsageRow[]> {
  const group = sql<string>`${revenueGroups[range.groupBy]} || ' ' || u.capability`;
  return sumUsage(db, range, { group, where: sql`livemode` });
}

const columns = sql`day, account_id, key_id, capability, calls, succeeded, units, allowance,
  voucher, cash`;

/** Rows by group, in byte order. */
async function sumUsage(
  db: Db,
  { from, to }: UsageDays,
  grouping: { readonly group: RawBuilder<string>; readonly where: RawBuilder<unknown> },
): Promise<readonly UsageRow[]> {
  type Money = Record<'allowance' | 'voucher' | 'cash', string>;
  const where = sql`${grouping.where} AND day >= ${from} AND day <= ${to}`;
  const rows = await inSnapshot(readOnlyDb(db), async (tx) => {
    const through = await readRollupEnd(tx);
    const afterRollup = through === null ? sql`true` : sql`opened_at >= ${through}::timestamptz`;
    // The index has the instants of calls, not their days. The range exceeds the days by at least
    // one on each side, so the time zones of days and session do not matter.
    const nearDays = sql`opened_at >= ${from}::date - 1 AND opened_at < ${to}::date + 2`;
    const { rows } = await sql<Omit<UsageRow, keyof Money> & Money>`
      SELECT * FROM (
        SELECT ${grouping.group} AS "group", sum(u.calls)::bigint AS calls,
          sum(u.succeeded)::bigint AS succeeded, sum(u.units)::bigint AS units,
          sum(u.allowance)::text AS allowance, sum(u.voucher)::text AS voucher,
          sum(u.cash)::text AS cash
        FROM (
          SELECT ${columns} FROM usage_days WHERE ${where}
          UNION ALL SELECT ${columns} FROM ledger_audit.usage_of_calls
          WHERE ${where} AND ${nearDays} AND ${afterRollup}
          UNION ALL SELECT ${columns} FROM ledger_audit.usage_of_calls
          WHERE ${where} AND request_id = ANY (ARRAY(SELECT request_id FROM usage_running))
        ) AS u
        GROUP BY 1
      ) AS sums
      ORDER BY sums."group" COLLATE "C"`.execute(sqlOf(tx));
    return rows;
  });
  return rows.map(({ allowance, voucher, cash, ...row }) => ({
    ...row,
    allowance: microFen(allowance),
    voucher: microFen(voucher),
    cash: microFen(cash),
  }));
}

/** The end of the last run, as text with all digits; null before the first run. */
async function readRollupEnd(db: Db): Promise<string | null> {
  const { rows } = await sql<{ through: string }>`
    SELECT through::text AS through FROM usage_progress`.execute(sqlOf(db));
  return rows[0]?.through ?? null;
}

/**
 * Adds the calls that were authorized before `until`, at most one day's calls. Also adds the calls
 * that were running at an earlier run and have ended. False: calls before `until` are left for
 * another run.
 */
export async function rollUpUsageOnce(db: Db, until: number): Promise<boolean> {
  const end = sql`${toSqlTime(until)}::timestamptz`;
  await sql`INSERT INTO usage_progress (only_row, through)
    SELECT true, coalesce((SELECT min(opened_at) FROM calls), ${end})
    WHERE NOT EXISTS (SELECT FROM usage_progress) ON CONFLICT DO NOTHING`.execute(sqlOf(db));
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ through: string; next: string; isDone: boolean }>`
      SELECT p.through::text AS through, n.next::text AS next, n.next >= ${end} AS "isDone"
      FROM usage_progress p CROSS JOIN LATERAL (
        SELECT greatest(p.through, least(${end}, p.through + interval '1 day')) AS next
      ) AS n FOR UPDATE OF p`.execute(sqlOf(tx));
    const [progress] = rows;
    if (progress === undefined) return true;
    // A single statement reads each call in a single state.
    await sql`
      WITH fresh AS (
        SELECT * FROM ledger_audit.usage_of_calls
        WHERE opened_at >= ${progress.through}::timestamptz
          AND opened_at < ${progress.next}::timestamptz
      ), running AS (
        INSERT INTO usage_running SELECT request_id FROM fresh WHERE NOT has_ended
      ), ended AS (
        DELETE FROM usage_running r USING calls c
        WHERE c.request_id = r.request_id AND c.state NOT IN ('held', 'unknown')
        RETURNING r.request_id
      ), counted AS (
        SELECT * FROM fresh WHERE has_ended
        UNION ALL
        SELECT u.* FROM ledger_audit.usage_of_calls u
        WHERE u.request_id = ANY (ARRAY(SELECT request_id FROM ended))
      ), progressed AS (
        UPDATE usage_progress SET through = ${progress.next}::timestamptz
      )
      INSERT INTO usage_days AS d (account_id, livemode, day, key_id, capability, calls, succeeded,
        units, allowance, voucher, cash)
      SELECT account_id, livemode, day, key_id, capability, sum(calls), sum(succeeded), sum(units),
        sum(allowance), sum(voucher), sum(cash)
      FROM counted GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (account_id, livemode, day, key_id, capability) DO UPDATE SET
        calls = d.calls + excluded.calls, succeeded = d.succeeded + excluded.succeeded,
        units = d.units + excluded.units, allowance = d.allowance + excluded.allowance,
        voucher = d.voucher + excluded.voucher, cash = d.cash + excluded.cash`.execute(sqlOf(tx));
    return progress.isDone;
  });
}
