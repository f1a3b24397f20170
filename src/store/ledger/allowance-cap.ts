// Only this file writes `allowance_cap`: the cap on the free allowances of a day. Database
// functions count the granted amount.
import { sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import { toSqlTime } from './parameters.ts';

export type AllowanceCap = {
  /** Micro-fen a day; null: no cap. */
  readonly amount: bigint | null;
  /** 0: never set. */
  readonly version: number;
};

export async function readAllowanceCap(db: Db): Promise<AllowanceCap> {
  const { rows } = await sql<{ amount: string | null; version: number }>`
    SELECT amount::text, version FROM allowance_cap`.execute(sqlOf(db));
  const [row] = rows;
  if (row === undefined) return { amount: null, version: 0 };
  return { amount: row.amount === null ? null : microFen(row.amount), version: row.version };
}

/** Returns false unless `cap.version` is the stored version plus 1. */
export async function writeAllowanceCap(
  tx: Db,
  cap: AllowanceCap & { readonly actor: string; readonly at: number },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO allowance_cap (only_row, amount, version, actor, at)
    VALUES (true, ${cap.amount === null ? null : String(cap.amount)}::bigint, ${cap.version},
      ${cap.actor}, ${toSqlTime(cap.at)}::timestamptz)
    ON CONFLICT (only_row) DO UPDATE SET amount = excluded.amount, version = excluded.version,
      actor = excluded.actor, at = excluded.at
    WHERE allowance_cap.version = excluded.version - 1 RETURNING version`.execute(sqlOf(tx));
  if (rows.length === 0) return false;
  await sql`SELECT ledger_recount_allowance()`.execute(sqlOf(tx));
  return true;
}

/** Micro-fen granted to all accounts on the day that ends at `dayEndsAt`. */
export async function sumGrantedAllowance(
  db: Db,
  { day, dayEndsAt }: { readonly day: string; readonly dayEndsAt: number },
): Promise<bigint> {
  const { rows } = await sql<{ given: string }>`
    SELECT coalesce(sum(issued), 0)::text AS given FROM books
    WHERE expires_at = ${toSqlTime(dayEndsAt)}::timestamptz AND livemode
      AND name = ${`allowance:${day}`}`.execute(sqlOf(db));
  return microFen(rows[0]?.given ?? '0');
}

/** Whether the cap prevented a wallet's allowance of `limit` micro-fen on this day. */
export async function isAllowanceRefused(
  db: Db,
  accountId: string,
  { day, limit }: { readonly day: string; readonly limit: bigint },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM books b JOIN allowance_days d ON d.day = ${day} JOIN allowance_cap c
      ON d.given + ${String(limit)}::bigint > c.amount
    WHERE b.account_id = ${accountId} AND b.livemode AND b.name = ${`allowance:${day}`}
      AND b.issued = 0`.execute(sqlOf(db));
  return rows.length > 0;
}
