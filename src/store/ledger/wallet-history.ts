// Reads a wallet's history for its owner: calls with all parts of their price, and journal entries,
// newest first. Lists are read from the replica, a single call from the primary server.
import { type RawBuilder, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { readOnlyDb, sqlOf } from '../platform/db.ts';
import type { CallState } from '../schema/ledger.ts';
import {
  type JournalEntry,
  type JournalRow,
  journalColumns,
  journalEntryOf,
  type WalletRef,
} from './balances.ts';
import { toSqlTime } from './parameters.ts';

/** Amounts in micro-fen, instants as epoch milliseconds. */
export type WalletCall = {
  readonly requestId: string;
  readonly keyId: string;
  readonly capability: string;
  readonly sku: string | null;
  readonly priceVersion: number;
  readonly unit: string;
  /** The quantity of the hold, in units. */
  readonly quantity: number;
  readonly held: bigint;
  readonly captured: bigint | null;
  readonly maxCharge: bigint | null;
  /** The balances of the hold, in spending order. */
  readonly books: readonly string[];
  readonly parts: readonly bigint[];
  readonly state: CallState;
  readonly status: number | null;
  readonly code: string | null;
  readonly openedAt: number;
  readonly completedAt: number | null;
  /** Present also for a failed call, which has released the key. */
  readonly idempotencyKey: string | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
};

type Row = Omit<WalletCall, 'held' | 'captured' | 'maxCharge' | 'parts'> &
  Record<'held' | 'parts', string> &
  Record<'captured' | 'maxCharge', string | null>;

const columns = sql`request_id AS "requestId", key_id AS "keyId", capability, sku,
  price_version AS "priceVersion", unit, quantity, amount::text AS held,
  captured::text AS captured, max_charge::text AS "maxCharge", books,
  array_to_string(parts, ' ') AS parts, state, status, code, opened_at AS "openedAt",
  completed_at AS "completedAt", coalesce(idempotency_key, freed_key) AS "idempotencyKey", usage`;

const moneyOrNull = (text: string | null) => (text === null ? null : microFen(text));

function callOf({ held, captured, maxCharge, parts, ...row }: Row): WalletCall {
  return {
    ...row,
    held: microFen(held),
    captured: moneyOrNull(captured),
    maxCharge: moneyOrNull(maxCharge),
    parts: parts === '' ? [] : parts.split(' ').map(microFen),
  };
}

export type CallFilter = {
  readonly capability?: string;
  readonly keyId?: string;
  readonly outcome?: 'succeeded' | 'failed' | 'running';
  /** Only calls with a price: their hold is above 0. */
  readonly isPriced?: true;
  /** Time range of authorization; the end is excluded. */
  readonly since?: number;
  readonly until?: number;
  /** Only calls older than this position. */
  readonly after?: { readonly at: number; readonly requestId: string };
};

const outcomes: Readonly<Record<NonNullable<CallFilter['outcome']>, RawBuilder<boolean>>> = {
  succeeded: sql`state = 'captured'`,
  failed: sql`state IN ('released', 'expired')`,
  running: sql`state IN ('held', 'unknown')`,
};

const instantSql = (instant: number) => sql`${toSqlTime(instant)}::timestamptz`;
const joinConditions = (conditions: readonly RawBuilder<unknown>[]) =>
  sql.join(conditions, sql` AND `);
const walletCondition = ({ accountId, livemode }: WalletRef) =>
  sql`account_id = ${accountId} AND livemode = ${livemode}`;

/** The condition on a day's sums of usage that is true when the day has calls of an outcome. */
const daySums: Readonly<Record<'succeeded' | 'failed', RawBuilder<boolean>>> = {
  succeeded: sql`succeeded > 0`,
  failed: sql`calls > succeeded`,
};

/** Newest first. */
export async function readWalletCalls(
  db: Db,
  wallet: WalletRef,
  filter: CallFilter,
  limit: number,
): Promise<readonly WalletCall[]> {
  const { capability, keyId, outcome, isPriced, since, until, after } = filter;
  const where = [
    walletCondition(wallet),
    ...(capability === undefined ? [] : [sql`capability = ${capability}`]),
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(outcome === undefined ? [] : [outcomes[outcome]]),
    ...(isPriced ? [sql`amount > 0`] : []),
    ...(since === undefined ? [] : [sql`opened_at >= ${instantSql(since)}`]),
    ...(until === undefined ? [] : [sql`opened_at < ${instantSql(until)}`]),
    ...(after
      ? [sql`(opened_at, request_id) < (${instantSql(after.at)}, ${after.requestId})`]
      : []),
  ];
  const isSelective = capability !== undefined || keyId !== undefined || outcome !== undefined;
  const ranges = isSelective ? await findRangesWithCalls(db, wallet, filter) : [sql`true`];
  const calls: WalletCall[] = [];
  for (const range of ranges) {
    const { rows } =
      await sql<Row>`SELECT ${columns} FROM calls WHERE ${joinConditions([...where, range])}
      ORDER BY opened_at DESC, request_id DESC LIMIT ${limit - calls.length}`.execute(
        sqlOf(readOnlyDb(db)),
      );
    calls.push(...rows.map(callOf));
    if (calls.length >= limit) break;
  }
  return calls;
}

/**
 * Ranges of authorization that can have calls of a filter, newest first. The first is the time
 * after the newest daily sum; the others are days whose sums have such calls. Without the ranges, a
 * filter without a match reads every call of the wallet: 695 ms at 500,000 calls.
 */
async function findRangesWithCalls(
  db: Db,
  wallet: WalletRef,
  { capability, keyId, outcome }: CallFilter,
): Promise<readonly RawBuilder<unknown>[]> {
  const daySumConditions = [
    walletCondition(wallet),
    ...(capability === undefined ? [] : [sql`capability = ${capability}`]),
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(outcome === undefined ? [] : [outcome === 'running' ? sql`false` : daySums[outcome]]),
  ];
  // Consecutive days are one range. The sums change between two queries only by calls that ended,
  // and a call without a sum is in the first range or in `usage_running`.
  const { rows } = await sql<{ since: string; until: string }>`
    WITH progress AS (
      SELECT coalesce(max(through), '-infinity') AS through FROM usage_progress
    ), days AS (
      SELECT day FROM usage_days WHERE ${joinConditions(daySumConditions)}
      UNION
      SELECT day FROM calls WHERE ${walletCondition(wallet)}
        AND request_id = ANY (ARRAY(SELECT request_id FROM usage_running))
    ), runs AS (
      SELECT min(day) AS first, max(day)::date + 1 AS next FROM (
        SELECT day, day::date - (row_number() OVER (ORDER BY day))::integer AS run FROM days
      ) AS d GROUP BY run
    )
    SELECT through::text AS since, 'infinity' AS until FROM progress
    UNION ALL
    (SELECT (first::timestamp AT TIME ZONE 'Asia/Shanghai')::text,
      least(through, next::timestamp AT TIME ZONE 'Asia/Shanghai')::text
    FROM runs CROSS JOIN progress ORDER BY first DESC)`.execute(sqlOf(readOnlyDb(db)));
  return rows.map(
    ({ since, until }) =>
      sql`opened_at >= ${since}::timestamptz AND opened_at < ${until}::timestamptz`,
  );
}

export async function readWalletCall(
  db: Db,
  wallet: WalletRef,
  requestId: string,
): Promise<WalletCall | null> {
  const { rows } = await sql<Row>`SELECT ${columns} FROM calls
    WHERE ${walletCondition(wallet)} AND request_id = ${requestId}`.execute(sqlOf(db));
  return rows[0] === undefined ? null : callOf(rows[0]);
}

export type EntryFilter = {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only entries older than this position; `seq` null: at this instant or earlier. */
  readonly after?: { readonly at: number; readonly seq: number | null };
};

/** The wallet's journal entries that belong to no call, newest first. */
export async function readWalletEntries(
  db: Db,
  wallet: WalletRef,
  { since, until, after }: EntryFilter,
  limit: number,
): Promise<readonly JournalEntry[]> {
  const where = [
    ...entryConditions(wallet, { since, until }),
    ...(after === undefined
      ? []
      : after.seq === null
        ? [sql`at <= ${instantSql(after.at)}`]
        : [sql`(at, seq) < (${instantSql(after.at)}, ${after.seq}::bigint)`]),
  ];
  const { rows } = await sql<JournalRow>`
    SELECT ${journalColumns} FROM entries
    WHERE ${joinConditions(where)} ORDER BY at DESC, seq DESC LIMIT ${limit}`.execute(
    sqlOf(readOnlyDb(db)),
  );
  return rows.map(journalEntryOf);
}

/** Net micro-fen that the entries without a call moved into cash and vouchers in a time range. */
export async function sumEntries(
  db: Db,
  wallet: WalletRef,
  range: Pick<EntryFilter, 'since' | 'until'>,
): Promise<bigint> {
  const isBalance = (account: RawBuilder<string>) =>
    sql`(${account} = 'cash' OR ${account} LIKE 'voucher:%')`;
  const { rows } = await sql<{ net: string }>`
    SELECT coalesce(sum(CASE WHEN ${isBalance(sql`m.target`)} THEN m.amount ELSE 0 END
      - CASE WHEN ${isBalance(sql`m.source`)} THEN m.amount ELSE 0 END), 0)::text AS net
    FROM entries
    CROSS JOIN LATERAL unnest(sources, targets, amounts) AS m(source, target, amount)
    WHERE ${joinConditions(entryConditions(wallet, range))}`.execute(sqlOf(readOnlyDb(db)));
  return microFen(rows[0]?.net ?? '0');
}

/** The conditions for journal entries that belong to no call. */
const entryConditions = (
  wallet: WalletRef,
  { since, until }: Pick<EntryFilter, 'since' | 'until'>,
) => [
  walletCondition(wallet),
  sql`kind NOT IN ('reserve', 'remeasure', 'capture', 'release')`,
  ...(since === undefined ? [] : [sql`at >= ${instantSql(since)}`]),
  ...(until === undefined ? [] : [sql`at < ${instantSql(until)}`]),
];

/** Labels and expiry times of balances, including expired balances. */
export async function readBalanceLabels(
  db: Db,
  wallet: WalletRef,
  names: readonly string[],
): Promise<
  ReadonlyMap<string, { readonly label: string | null; readonly expiresAt: number | null }>
> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<{ name: string; label: string | null; expiresAt: number | null }>`
    SELECT name, label, CASE WHEN kind = 'voucher' THEN expires_at END AS "expiresAt" FROM books
    WHERE ${walletCondition(wallet)} AND name = ANY (${names}::text[])`.execute(sqlOf(db));
  return new Map(rows.map(({ name, ...balance }) => [name, balance]));
}
