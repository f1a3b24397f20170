// Only this file writes `balance_alerts`: balance thresholds for alerts. It also reads the budgets
// of keys and the spent part of each budget.
import { sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { EndpointOwner } from './webhook-endpoints.ts';

export type BalanceAlert = {
  /** Micro-fen. */
  readonly below: bigint;
  /** Time at which the balance fell below the threshold, epoch milliseconds; null: not below. */
  readonly lowSince: number | null;
  readonly version: number;
};

export async function findBalanceAlert(
  db: Db,
  { accountId, livemode }: EndpointOwner,
): Promise<BalanceAlert | null> {
  const { rows } = await sql<Omit<BalanceAlert, 'below'> & { below: string }>`
    SELECT below::text AS below, low_since AS "lowSince", version FROM balance_alerts
    WHERE account_id = ${accountId} AND livemode = ${livemode}`.execute(sqlOf(db));
  const [row] = rows;
  return row === undefined ? null : { ...row, below: microFen(row.below) };
}

/**
 * `below` null disables alerts. `version` is the version that the writer read, 0 for none. Returns
 * false after a concurrent change.
 */
export async function saveBalanceAlert(
  db: Db,
  { accountId, livemode }: EndpointOwner,
  { below, version }: { readonly below: bigint | null; readonly version: number },
): Promise<boolean> {
  if (below === null) {
    const { numDeletedRows } = await sqlOf(db)
      .deleteFrom('balance_alerts')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where('version', '=', version)
      .executeTakeFirst();
    return numDeletedRows > 0n || (await findBalanceAlert(db, { accountId, livemode })) === null;
  }
  const amount = below.toString();
  const { numAffectedRows } = await sql`
    INSERT INTO balance_alerts (account_id, livemode, below, low_since, version)
    SELECT ${accountId}, ${livemode}, ${amount}::bigint, NULL, ${version + 1}::integer
    WHERE ${version}::integer = 0 OR EXISTS (SELECT 1 FROM balance_alerts
      WHERE account_id = ${accountId} AND livemode = ${livemode})
    ON CONFLICT (account_id, livemode) DO UPDATE
      SET below = excluded.below, low_since = NULL, version = excluded.version
      WHERE balance_alerts.version = ${version}::integer`.execute(sqlOf(db));
  return (numAffectedRows ?? 0n) > 0n;
}

/** Amounts in micro-fen. */
export type WatchedBalance = EndpointOwner & {
  readonly below: bigint;
  readonly total: bigint;
  readonly lowSince: number | null;
};

/** Balances that have crossed their threshold since the last check. */
export async function listCrossedBalances(db: Db, now: number): Promise<readonly WatchedBalance[]> {
  type Row = EndpointOwner & { below: string; total: string; lowSince: number | null };
  const { rows } = await sql<Row>`
    SELECT * FROM (
      SELECT a.account_id AS "accountId", a.livemode, a.below::text AS below,
        a.low_since AS "lowSince",
        coalesce((SELECT sum(b.available) FROM books b
          WHERE b.account_id = a.account_id AND b.livemode = a.livemode
            AND b.kind IN ('cash', 'voucher')
            AND (b.kind = 'cash' OR b.expires_at > ${toTimestamp(now)}::timestamptz)
        ), 0)::text AS total
      FROM balance_alerts a
    ) w WHERE (total::bigint < below::bigint) <> ("lowSince" IS NOT NULL)`.execute(sqlOf(db));
  return rows.map((row) => ({ ...row, below: microFen(row.below), total: microFen(row.total) }));
}

/**
 * Records the crossing of a threshold. `since` null: the balance is no longer below it. Returns
 * false when another node has recorded the crossing.
 */
export async function recordThresholdCrossing(
  tx: Db,
  { accountId, livemode, lowSince }: WatchedBalance,
  since: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(tx)
    .updateTable('balance_alerts')
    .set({ low_since: toTimestampOrNull(since) })
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('low_since', lowSince === null ? 'is' : 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Amounts in micro-fen. */
export type KeyBudget = EndpointOwner & {
  readonly keyId: string;
  readonly keyName: string;
  readonly last4: string;
  readonly period: 'day' | 'month' | 'total';
  readonly budget: bigint;
  readonly spent: bigint;
};

type BudgetRow = Omit<KeyBudget, 'budget' | 'spent'> & { budget: string; spent: string };

const selectBudgets = (day: string, month: string) => sql<BudgetRow>`
  SELECT k.account_id AS "accountId", k.livemode, k.id AS "keyId", k.name AS "keyName", k.last4,
    k.budget_period AS period, k.budget_amount::text AS budget,
    coalesce(CASE k.budget_period
      WHEN 'day' THEN CASE WHEN s.day = ${day} THEN s.day_spent END
      WHEN 'month' THEN CASE WHEN s.month = ${month} THEN s.month_spent END
      ELSE s.total_spent END, 0)::text AS spent
  FROM api_keys k LEFT JOIN key_spending s
    ON s.account_id = k.account_id AND s.livemode = k.livemode AND s.key_id = k.id
  WHERE k.budget_amount IS NOT NULL AND k.revoked_at IS NULL`;

const toKeyBudget = ({ budget, spent, ...row }: BudgetRow): KeyBudget => ({
  ...row,
  budget: microFen(budget),
  spent: microFen(spent),
});

/**
 * Budgets of keys that are not revoked, oldest first. `day` and `month`: the current day and month
 * in Shanghai.
 */
export async function listKeyBudgets(
  db: Db,
  { accountId, livemode }: EndpointOwner,
  { day, month }: { readonly day: string; readonly month: string },
): Promise<readonly KeyBudget[]> {
  const { rows } = await sql<BudgetRow>`${selectBudgets(day, month)}
    AND k.account_id = ${accountId} AND k.livemode = ${livemode}
    ORDER BY k.created_at, k.id`.execute(sqlOf(db));
  return rows.map(toKeyBudget);
}

/** Budgets of which at least four fifths are spent, of accounts that receive alerts. */
export async function listNearlySpentBudgets(
  db: Db,
  { day, month }: { readonly day: string; readonly month: string },
): Promise<readonly KeyBudget[]> {
  const { rows } = await sql<BudgetRow>`SELECT * FROM (${selectBudgets(day, month)}
    AND (EXISTS (SELECT 1 FROM webhook_endpoints p WHERE p.account_id = k.account_id
      AND p.livemode = k.livemode AND p.state = 'on' AND 'budget.reached' = ANY (p.events))
      OR EXISTS (SELECT 1 FROM accounts o WHERE o.id = k.account_id AND o.alert_mails))
    ) b WHERE spent::numeric * 5 >= budget::numeric * 4`.execute(sqlOf(db));
  return rows.map(toKeyBudget);
}

/** Deletes the thresholds of a deleted account. */
export async function deleteBalanceAlerts(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx).deleteFrom('balance_alerts').where('account_id', '=', accountId).execute();
}
