// Searches accounts for operators, with their balances and calls. Read only.
import { sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { AccountStatus } from './accounts.ts';

export type FoundAccount = {
  readonly id: string;
  readonly email: string;
  readonly status: AccountStatus;
  readonly createdAt: number;
  /** Cash of the live wallet, in micro-fen. */
  readonly cash: bigint;
  readonly vouchers: bigint;
  /**
   * Live calls of the wallet's last month, and that month (YYYY-MM); null before the first call.
   */
  readonly monthCalls: number | null;
  readonly month: string | null;
};

export type AccountQuery = {
  /** Part of the address or the id, in lower case; empty: all accounts. */
  readonly searchText: string;
  readonly status: AccountStatus | null;
  readonly limit: number;
  readonly skip: number;
};

/** Newest first. */
export async function searchAccounts(
  db: Db,
  { searchText, status, limit, skip }: AccountQuery,
  now: number,
): Promise<readonly FoundAccount[]> {
  type Row = Omit<FoundAccount, 'cash' | 'vouchers'> & { cash: string; vouchers: string };
  const pattern = `%${searchText.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<Row>`
    SELECT a.id, a.email, a.status, a.created_at AS "createdAt", m.cash, m.vouchers,
      w.month_calls AS "monthCalls", w.month
    FROM (
      SELECT * FROM accounts
      WHERE (${searchText} = '' OR email LIKE ${pattern} OR lower(id) LIKE ${pattern})
        AND (${status}::text IS NULL OR status = ${status}::text)
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${skip}
    ) AS a
    LEFT JOIN wallets w ON w.account_id = a.id AND w.livemode
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(b.available) FILTER (WHERE b.kind = 'cash'), 0)::text AS cash,
        coalesce(sum(b.available) FILTER (WHERE b.kind = 'voucher'), 0)::text AS vouchers
      FROM books b WHERE b.account_id = a.id AND b.livemode
        AND b.expires_at > ${toTimestamp(now)}
    ) AS m
    ORDER BY a.created_at DESC, a.id DESC`.execute(sqlOf(db));
  return rows.map(({ cash, vouchers, ...row }) => ({
    ...row,
    cash: microFen(cash),
    vouchers: microFen(vouchers),
  }));
}

export async function countAccounts(
  db: Db,
): Promise<{ readonly all: number; readonly suspended: number; readonly deleted: number }> {
  const { rows } = await sql<{ all: number; suspended: number; deleted: number }>`
    SELECT count(*) FILTER (WHERE status <> 'deleted') AS all,
      count(*) FILTER (WHERE status = 'suspended') AS suspended,
      count(*) FILTER (WHERE status = 'deleted') AS deleted
    FROM accounts`.execute(sqlOf(db));
  return rows[0] ?? { all: 0, suspended: 0, deleted: 0 };
}

/** Addresses by account id; unknown ids are absent. */
export async function readAccountEmails(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}
