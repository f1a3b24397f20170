// Reads calls: pages, and single calls with their lines and their response.
import { sql } from 'kysely';
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
  /** Present also for a failed call, which has released the key. */
  readonly idempotencyKey: string | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly held: bigint;
  readonly captured: bigint | null;
  /** The balances of the hold, in spending order, and the amount from each. */
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

const walletCondition = ({ accountId, livemode }: WalletRef) =>
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
    SELECT ${columns} FROM calls WHERE ${walletCondition(wallet)} AND ${after}
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
    WHERE ${walletCondition(wallet)} AND request_id = ${requestId}`.execute(sqlOf(db));
  return rows[0] === undefined ? null : callOf(rows[0]);
}

/** One line of a charge. */
export type CallLineRow = {
  readonly class: string;
  readonly tokens: number;
  /** Micro-fen. */
  readonly price: string;
  readonly attempt: number;
};

/** The lines of a call's charge, in their order. */
export async function readCallLines(
  db: Db,
  wallet: WalletRef,
  requestId: string,
): Promise<readonly CallLineRow[]> {
  const { rows } = await sql<CallLineRow>`
    SELECT class, tokens, price::text AS price, attempt FROM call_lines
    WHERE ${walletCondition(wallet)} AND request_id = ${requestId} ORDER BY place`.execute(
    sqlOf(db),
  );
  return rows;
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

function callOf({ held, captured, parts, ...row }: Row): CallRow {
  return {
    ...row,
    held: microFen(held),
    captured: captured === null ? null : microFen(captured),
    parts: parts === '' ? [] : parts.split(' ').map(microFen),
  };
}
