// Fills a ledger with calls by SQL, which is much faster than calls through the wallet. One account
// has half of the calls, and 49 accounts have the others. Each call is reserved and captured from
// cash.
import { sql } from 'kysely';
import type { Db } from '../../src/kernel/ports/db.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';

export const busiestAccount = 'acct_00';

const PRICE_MICRO_FEN = 3_000_000;
const CREDIT_MICRO_FEN = 10 ** 14;

export type FillOptions = {
  readonly calls: number;
  /** Start of the range over which calls are spread evenly. */
  readonly since: Date;
  /** End of this range. */
  readonly until: Date;
  /** The account that has half of the calls. */
  readonly busiest?: string;
};

/** Adds the monthly partitions from `since` until now. */
export async function addMonthlyPartitions(db: Db, since: Date): Promise<void> {
  for (const table of ['calls', 'entries']) {
    await sql`SELECT partition_add(${table}, m AT TIME ZONE 'UTC') FROM generate_series(
      date_trunc('month', ${since}::timestamptz AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC',
      interval '1 month') AS m`.execute(sqlOf(db));
  }
}

/** Bytes of the tables of calls, with indexes. */
export async function callBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT sum(pg_total_relation_size(relid))::bigint AS bytes FROM pg_stat_user_tables
    WHERE relname ~ '^(calls|entries)_' OR relname = 'idempotency_keys'`.execute(sqlOf(db));
  return rows[0]?.bytes ?? 0;
}

/** Adds calls with their journal entries, idempotency keys and balances, in one transaction. */
export async function fillLedger(
  db: Db,
  { calls, since, until, busiest = busiestAccount }: FillOptions,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const query = sqlOf(tx);
    await sql`SET LOCAL statement_timeout = 0`.execute(query);
    await sql`CREATE TEMP TABLE added ON COMMIT DROP AS
      SELECT i, (CASE WHEN i % 2 = 0 THEN ${busiest}::text
          ELSE 'acct_' || lpad((i % 100 / 2)::text, 2, '0') END) COLLATE "C" AS account_id,
        partition_bound('calls', t.at) || lpad(to_hex(i), 12, '0') COLLATE "C" AS request_id, t.at
      FROM generate_series(1, ${calls}::integer) AS i
      CROSS JOIN LATERAL (SELECT ${since}::timestamptz + (i::numeric / ${calls}::integer)
        * (${until}::timestamptz - ${since}::timestamptz) AS at) AS t`.execute(query);
    await sql`CREATE TEMP TABLE totals ON COMMIT DROP AS
      SELECT account_id, count(*) AS calls FROM added GROUP BY account_id`.execute(query);
    await sql`INSERT INTO wallets (account_id, livemode, day, day_calls, month, month_calls)
      SELECT account_id, true, '', 0, '', 0 FROM totals ON CONFLICT DO NOTHING`.execute(query);
    await sql`INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts)
      SELECT account_id, true, 'credit', ${since}::timestamptz, '{promotions}', '{cash}',
        ARRAY[${CREDIT_MICRO_FEN}::bigint] FROM totals`.execute(query);
    await sql`INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts,
        requests)
      SELECT a.account_id, true, m.kind, a.at, ARRAY[m.source], ARRAY[m.target],
        ARRAY[${PRICE_MICRO_FEN}::bigint], ARRAY[a.request_id]
      FROM added a CROSS JOIN (VALUES (1, 'reserve', 'cash', 'held:cash'),
        (2, 'capture', 'held:cash', 'revenue:social')) AS m(step, kind, source, target)
      ORDER BY a.i, m.step`.execute(query);
    await sql`INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku,
        price_version, unit, quantity, amount, books, parts, idempotency_key, fingerprint, state,
        day, opened_at, deadline_at, completed_at, captured, status, usage)
      SELECT request_id, account_id, true, 'key_' || account_id, 'social', 'social', 1, 'per_call',
        1, ${PRICE_MICRO_FEN}::bigint, '{cash}', ARRAY[${PRICE_MICRO_FEN}::bigint], request_id,
        repeat('f', 64), 'captured',
        to_char(at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD'), at, at + interval '1 minute', at,
        ${PRICE_MICRO_FEN}::bigint, 200, '{"quantity": 1}'
      FROM added ORDER BY i`.execute(query);
    await sql`INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
      SELECT request_id, account_id, true, request_id FROM added ORDER BY i`.execute(query);
    await sql`INSERT INTO books AS b (account_id, livemode, name, kind, available, held, issued,
        expires_at, opened_at)
      SELECT t.account_id, true, m.name, m.kind, m.amount, 0, 0, m.expires_at, ${since}::timestamptz
      FROM totals t CROSS JOIN LATERAL (VALUES
        ('cash', 'cash', ${CREDIT_MICRO_FEN}::bigint - ${PRICE_MICRO_FEN}::bigint * t.calls,
          'infinity'::timestamptz),
        ('revenue:social', 'platform', ${PRICE_MICRO_FEN}::bigint * t.calls, NULL),
        ('promotions', 'platform', -${CREDIT_MICRO_FEN}::bigint, NULL)
              ) AS m(name, kind, amount, expires_at)
      ON CONFLICT (account_id, livemode, name)
        DO UPDATE SET available = b.available + excluded.available`.execute(query);
    await sql`ANALYZE`.execute(query);
  });
}
