// Reads calls: pages, single calls with their response, and usage.
import { type RawBuilder, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import type { CallState } from '../schema/ledger.ts';
import type { WalletRef } from './balances.ts';
import { toSqlTime } from './parameters.ts';

/** Amounts in micro-fen, instants as epoch milliseconds. */
export type CallRow = {
  readonly requestId: string;
  readonly keyId: string;
  readonly capability: string;
  readonly sku: string | null;
  readonly priceVersion: number;
  readonly state: CallState;
  readonly status: number | null;
  readonly code: string | null;
  readonly openedAt: number;
  readonly completedAt: number | null;
  /** Also of a failed call, which has freed the key. */
  readonly idempotencyKey: string | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly held: bigint;
  readonly captured: bigint | null;
  readonly books: readonly string[];
  readonly parts: readonly bigint[];
};

type Row = Omit<CallRow, 'held' | 'captured' | 'parts'> & {
  readonly held: string;
  readonly captured: string | null;
  readonly parts: string;
};

const columns = sql`request_id AS "requestId", key_id AS "keyId", capability, sku,
  price_version AS "priceVersion", state, status, code, opened_at AS "openedAt",
  completed_at AS "completedAt", coalesce(idempotency_key, freed_key) AS "idempotencyKey", usage,
  amount::text AS held, captured::text AS captured, books, array_to_string(parts, ' ') AS parts`;

const ofWallet = ({ accountId, livemode }: WalletRef) =>
  sql`account_id = ${accountId} AND livemode = ${livemode}`;

/** Newest first, after the given position. */
export async function readCalls(
  db: Db,
  wallet: WalletRef,
  page: {
    readonly after: { readonly openedAt: number; readonly requestId: string } | null;
    readonly limit: number;
  },
): Promise<readonly CallRow[]> {
  const after =
    page.after === null
      ? sql`true`
      : sql`(opened_at, request_id) <
          (${toSqlTime(page.after.openedAt)}::timestamptz, ${page.after.requestId})`;
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM calls WHERE ${ofWallet(wallet)} AND ${after}
    ORDER BY opened_at DESC, request_id DESC LIMIT ${page.limit}`.execute(sqlOf(db));
  return rows.map(callOf);
}

export async function readCall(
  db: Db,
  wallet: WalletRef,
  requestId: string,
): Promise<CallRow | null> {
  const { rows } = await sql<Row>`
    SELECT ${columns} FROM calls
    WHERE ${ofWallet(wallet)} AND request_id = ${requestId}`.execute(sqlOf(db));
  return rows[0] === undefined ? null : callOf(rows[0]);
}

export type StoredResponse = { readonly contentType: string; readonly body: Buffer };

/** The stored response; null after its retention. */
export async function readStoredResponse(
  db: Db,
  requestId: string,
  now: number,
): Promise<StoredResponse | null> {
  const row = await sqlOf(db)
    .selectFrom('answers')
    .select(['content_type as contentType', 'body'])
    .where('request_id', '=', requestId)
    .where('kept_until', '>', sql<number>`${toSqlTime(now)}::timestamptz`)
    .executeTakeFirst();
  return row ?? null;
}

export type UsageGroup = 'day' | 'capability' | 'key' | 'day capability' | 'day key';
export type UsageRow = {
  /** A day (YYYY-MM-DD), a capability or a key id; or a day, a space and one of these. */
  readonly group: string;
  readonly calls: number;
  readonly succeeded: number;
  /** Charged amount by source. */
  readonly allowance: bigint;
  readonly voucher: bigint;
  readonly cash: bigint;
};

const groups: Readonly<Record<UsageGroup, RawBuilder<string>>> = {
  day: sql`c.day`,
  capability: sql`c.capability`,
  key: sql`c.key_id`,
  'day capability': sql`c.day || ' ' || c.capability`,
  'day key': sql`c.day || ' ' || c.key_id`,
};

/**
 * Joins the charge of each call `c` by source as `s`. A charge is allocated to the parts of its
 * hold in order. Each part is charged the amount that the earlier parts did not cover.
 */
const chargeSplit = sql`CROSS JOIN LATERAL (
    SELECT sum(d.due) FILTER (WHERE d.book LIKE 'allowance:%') AS allowance,
      sum(d.due) FILTER (WHERE d.book LIKE 'voucher:%') AS voucher,
      sum(d.due) FILTER (WHERE d.book = 'cash') AS cash
    FROM (
      SELECT p.book, greatest(least(p.part, c.captured
        - sum(p.part) OVER (ORDER BY p.place) + p.part), 0) AS due
      FROM unnest(c.books, c.parts) WITH ORDINALITY AS p(book, part, place)
      WHERE c.captured > 0
    ) AS d
  ) AS s`;

/** `starts` and `ends` bound the time of authorization. */
export async function readUsage(
  db: Db,
  wallet: WalletRef,
  range: TimeRange & { readonly groupBy: UsageGroup },
): Promise<readonly UsageRow[]> {
  const group = groups[range.groupBy];
  return usageRows(db, range, {
    group,
    where: sql`c.account_id = ${wallet.accountId} AND c.livemode = ${wallet.livemode}`,
    orderBy: sql`min(${group} COLLATE "C") COLLATE "C"`,
  });
}

type TimeRange = { readonly starts: number; readonly ends: number };

/** The one sum of charges by source. `range` bounds the time of authorization. */
export async function usageRows(
  db: Db,
  range: TimeRange,
  by: {
    readonly group: RawBuilder<string>;
    readonly where: RawBuilder<unknown>;
    readonly orderBy: RawBuilder<unknown>;
  },
): Promise<readonly UsageRow[]> {
  type Money = Record<'allowance' | 'voucher' | 'cash', string>;
  const { rows } = await sql<Omit<UsageRow, keyof Money> & Money>`
    SELECT ${by.group} AS "group", count(*) AS calls,
      count(*) FILTER (WHERE c.state = 'captured') AS succeeded,
      coalesce(sum(s.allowance), 0)::text AS allowance,
      coalesce(sum(s.voucher), 0)::text AS voucher, coalesce(sum(s.cash), 0)::text AS cash
    FROM calls c
    ${chargeSplit}
    WHERE ${by.where} AND c.opened_at >= ${toSqlTime(range.starts)}::timestamptz
      AND c.opened_at < ${toSqlTime(range.ends)}::timestamptz
    GROUP BY 1 ORDER BY ${by.orderBy}`.execute(sqlOf(db));
  return rows.map(({ allowance, voucher, cash, ...row }) => ({
    ...row,
    allowance: microFen(allowance),
    voucher: microFen(voucher),
    cash: microFen(cash),
  }));
}

function callOf({ held, captured, parts, ...row }: Row): CallRow {
  return {
    ...row,
    held: microFen(held),
    captured: captured === null ? null : microFen(captured),
    parts: parts === '' ? [] : parts.split(' ').map(microFen),
  };
}
