// Only this file writes `top_ups`: payments at a hosted checkout. Settlement holds the row's lock
// until the ledger entry is written.
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { toSqlTime } from '../ledger/parameters.ts';
import { sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';
import type { TopUpState } from '../schema/top-ups.ts';

export type { TopUpState };

/** Amounts in micro-fen, instants as epoch milliseconds. */
export type TopUpRow = Readonly<Selectable<Schema['top_ups']>>;

type MoneyColumn = 'amount' | 'refunded' | 'disputed' | 'taken_back' | 'forgiven' | 'owed';
type TopUpText = Omit<TopUpRow, MoneyColumn> & Readonly<Record<MoneyColumn, string>>;

const rowOf = (row: TopUpText): TopUpRow => ({
  ...row,
  amount: microFen(row.amount),
  refunded: microFen(row.refunded),
  disputed: microFen(row.disputed),
  taken_back: microFen(row.taken_back),
  forgiven: microFen(row.forgiven),
  owed: microFen(row.owed),
});

/** Money is read as text, because a JavaScript number cannot hold every amount. */
const columns = [
  ...(['id', 'account_id', 'state', 'session_id', 'session_url', 'provider_live'] as const),
  ...(['payment_intent', 'problem', 'begun_at', 'looked_at', 'look_at', 'credited_at'] as const),
  'moves',
  sql<string>`amount::text`.as('amount'),
  sql<string>`refunded::text`.as('refunded'),
  sql<string>`disputed::text`.as('disputed'),
  sql<string>`taken_back::text`.as('taken_back'),
  sql<string>`forgiven::text`.as('forgiven'),
  sql<string>`owed::text`.as('owed'),
] as const;

const selectTopUps = (db: Db) => sqlOf(db).selectFrom('top_ups').select(columns);
type TopUpSelect = SelectQueryBuilder<Schema, 'top_ups', TopUpText>;

async function readOne(query: TopUpSelect): Promise<TopUpRow | null> {
  const row = await query.executeTakeFirst();
  return row === undefined ? null : rowOf(row);
}

export async function insertTopUp(
  db: Db,
  topUp: Pick<TopUpRow, 'id' | 'account_id' | 'amount' | 'begun_at'> & { readonly look_at: number },
): Promise<void> {
  await sqlOf(db)
    .insertInto('top_ups')
    .values({
      id: topUp.id,
      account_id: topUp.account_id,
      amount: String(topUp.amount),
      state: 'begun' as const,
      session_id: null,
      session_url: null,
      provider_live: null,
      payment_intent: null,
      problem: null,
      credited_at: null,
      begun_at: toTimestamp(topUp.begun_at),
      looked_at: toTimestamp(topUp.begun_at),
      look_at: toTimestamp(topUp.look_at),
    })
    .execute();
}

export const findTopUp = (db: Db, id: string) => readOne(selectTopUps(db).where('id', '=', id));

export const findTopUpByPayment = (db: Db, paymentIntent: string) =>
  readOne(selectTopUps(db).where('payment_intent', '=', paymentIntent));

/**
 * Locks the top-up and its account's other top-ups with debt until the transaction ends. Rows are
 * locked in the order of their ids and before the wallet, which prevents deadlocks.
 */
export async function lockTopUp(
  tx: Db,
  id: string,
): Promise<{ readonly row: TopUpRow; readonly otherDebts: readonly TopUpRow[] } | null> {
  const locked = await lockByIds(
    tx,
    sql<boolean>`(id = ${id} OR owed > 0 AND account_id = (
      SELECT this.account_id FROM top_ups AS this WHERE this.id = ${id}))`,
  );
  const row = locked.find((each) => each.id === id);
  return row === undefined ? null : { row, otherDebts: locked.filter((each) => each !== row) };
}

/** Locks all top-ups for which the account has debt, in the order of their ids. */
export const lockDebts = (tx: Db, accountId: string) =>
  lockByIds(tx, sql<boolean>`account_id = ${accountId} AND owed > 0`);

async function lockByIds(tx: Db, filter: RawBuilder<boolean>): Promise<readonly TopUpRow[]> {
  const locked = selectTopUps(tx).where(filter).orderBy('id').forUpdate();
  return (await locked.execute()).map(rowOf);
}

/** Accounts with debt and with cash to settle it. */
export async function listAccountsWithPayableDebt(db: Db, max: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT t.account_id AS id FROM top_ups t
    JOIN books b ON b.account_id = t.account_id AND b.livemode AND b.name = 'cash'
    WHERE t.owed > 0 AND b.available > 0 LIMIT ${max}`.execute(sqlOf(db));
  return rows.map(({ id }) => id);
}

export type TopUpChange = Partial<
  Pick<
    TopUpRow,
    | ('state' | 'session_id' | 'session_url' | 'provider_live' | 'payment_intent' | 'problem')
    | ('looked_at' | 'look_at' | 'credited_at' | 'refunded' | 'disputed' | 'taken_back')
    | ('forgiven' | 'moves')
  >
>;

export async function updateTopUp(tx: Db, id: string, change: TopUpChange): Promise<void> {
  const { looked_at, look_at, credited_at, ...otherChanges } = change;
  const { refunded, disputed, taken_back, forgiven, ...otherColumns } = otherChanges;
  await sqlOf(tx)
    .updateTable('top_ups')
    .set({
      ...otherColumns,
      ...(looked_at !== undefined && { looked_at: toTimestamp(looked_at) }),
      ...(look_at !== undefined && { look_at: toTimestampOrNull(look_at) }),
      ...(credited_at !== undefined && { credited_at: toTimestampOrNull(credited_at) }),
      ...(refunded !== undefined && { refunded: String(refunded) }),
      ...(disputed !== undefined && { disputed: String(disputed) }),
      ...(taken_back !== undefined && { taken_back: String(taken_back) }),
      ...(forgiven !== undefined && { forgiven: String(forgiven) }),
    })
    .where('id', '=', id)
    .execute();
}

export type TopUpQuery = {
  readonly accountId?: string;
  readonly state?: TopUpState;
  /** Refused and not closed, with debt, or with a dispute that needs a response. */
  readonly isTroubled?: boolean;
  /** Part of the account's address, or of an id of the top-up; compared in lower case. */
  readonly searchText?: string;
  readonly limit: number;
  readonly skip?: number;
};

/** Newest first. */
export async function listTopUps(db: Db, filter: TopUpQuery): Promise<readonly TopUpRow[]> {
  const { accountId, state, isTroubled = false, searchText = '' } = filter;
  let query = selectTopUps(db);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (isTroubled) query = query.where(troubledCondition);
  if (searchText !== '') {
    const pattern = `%${searchText.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<boolean>`(id LIKE ${pattern} OR lower(session_id) LIKE ${pattern}
        OR lower(payment_intent) LIKE ${pattern} OR account_id IN (
          SELECT a.id FROM accounts a
          WHERE a.email LIKE ${pattern} OR lower(a.id) LIKE ${pattern}))`,
    );
  }
  const newestFirst = query.orderBy('begun_at', 'desc').orderBy('id', 'desc');
  return (
    await newestFirst
      .limit(filter.limit)
      .offset(filter.skip ?? 0)
      .execute()
  ).map(rowOf);
}

const troubledCondition = sql<boolean>`(state = 'refused' OR owed > 0 OR EXISTS (
  SELECT FROM top_up_disputes d WHERE d.top_up_id = top_ups.id
    AND d.status IN ('needs_response', 'warning_needs_response')))`;

/** The debt of one account, in micro-fen. */
export async function readAccountDebt(db: Db, accountId: string): Promise<bigint> {
  const { rows } = await sql<{ owed: string }>`
    SELECT coalesce(sum(owed), 0)::text AS owed FROM top_ups
    WHERE account_id = ${accountId} AND owed > 0`.execute(sqlOf(db));
  return microFen(rows[0]?.owed ?? '0');
}

export type TopUpTroubles = { readonly count: number; readonly owed: bigint };

export async function countTroubles(db: Db): Promise<TopUpTroubles> {
  const { rows } = await sql<{ count: number; owed: string }>`
    SELECT count(*) AS count, coalesce(sum(owed), 0)::text AS owed FROM top_ups
    WHERE ${troubledCondition}`.execute(sqlOf(db));
  return { count: rows[0]?.count ?? 0, owed: microFen(rows[0]?.owed ?? '0') };
}

/**
 * Claims the top-ups that are due for a sync, each for one worker, and sets their next sync to
 * `until`.
 */
export async function claimTopUps(
  db: Db,
  claim: { readonly now: number; readonly until: number; readonly max: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE top_ups SET look_at = ${toSqlTime(claim.until)}::timestamptz WHERE id IN (
      SELECT id FROM top_ups WHERE look_at <= ${toSqlTime(claim.now)}::timestamptz
      ORDER BY look_at LIMIT ${claim.max} FOR UPDATE SKIP LOCKED)
    RETURNING id`.execute(sqlOf(db));
  return rows.map(({ id }) => id);
}

/** Takes up to `max` out of the wallet's cash; returns the amount taken, in micro-fen. */
export async function reclaimFromCash(
  tx: Db,
  now: number,
  reclaim: {
    readonly accountId: string;
    readonly kind: 'top_up_refund' | 'top_up_dispute';
    readonly max: bigint;
    readonly reference: string;
    readonly reason: string;
    readonly actor: string;
  },
): Promise<bigint> {
  const { rows } = await sql<{ taken: string }>`
    SELECT ledger_take_back(${reclaim.accountId}, true, ${toSqlTime(now)}::timestamptz,
      ${reclaim.kind}, ${String(reclaim.max)}::bigint, ${reclaim.reference}, ${reclaim.reason},
      ${reclaim.actor})::text AS taken`.execute(sqlOf(tx));
  return microFen(rows[0]?.taken ?? '0');
}

/** Removes the checkout addresses of a deleted account; the payments stay. */
export async function eraseCheckoutAddresses(tx: Db, accountId: string): Promise<void> {
  await sqlOf(tx)
    .updateTable('top_ups')
    .set({ session_url: null })
    .where('account_id', '=', accountId)
    .where('session_url', 'is not', null)
    .execute();
}
