// Money that is paid at a hosted checkout: the only writer of `top_ups`. Whoever settles one holds
// its row until the ledger has heard of it too.
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { microFen } from '../kernel/money.ts';
import { sqlOf, toTimestamp, toTimestampOrNull } from './db.ts';
import { toSqlTime } from './ledger/statement.ts';
import type { TopUpState } from './schema/top-ups.ts';
import type { Schema } from './schema.ts';

export type { TopUpState };

/** Amounts in micro-fen, instants as epoch milliseconds. */
export type TopUpRow = Readonly<Selectable<Schema['top_ups']>>;

type Money = 'amount' | 'refunded' | 'taken_back';
type Read = Omit<TopUpRow, Money> & Readonly<Record<Money, string>>;

const rowOf = ({ amount, refunded, taken_back, ...row }: Read): TopUpRow => ({
  ...row,
  amount: microFen(amount),
  refunded: microFen(refunded),
  taken_back: microFen(taken_back),
});

/** Money as text: a JavaScript number does not hold all of it. */
const columns = [
  ...(['id', 'account_id', 'state', 'session_id', 'session_url', 'provider_live'] as const),
  ...(['payment_intent', 'problem', 'begun_at', 'looked_at', 'look_at', 'credited_at'] as const),
  sql<string>`amount::text`.as('amount'),
  sql<string>`refunded::text`.as('refunded'),
  sql<string>`taken_back::text`.as('taken_back'),
] as const;

const selectTopUps = (db: Db) => sqlOf(db).selectFrom('top_ups').select(columns);
type Selected = SelectQueryBuilder<Schema, 'top_ups', Read>;

async function one(query: Selected): Promise<TopUpRow | null> {
  const row = await query.executeTakeFirst();
  return row === undefined ? null : rowOf(row);
}

export async function insertTopUp(
  db: Db,
  begun: Pick<TopUpRow, 'id' | 'account_id' | 'amount' | 'begun_at'> & { readonly look_at: number },
): Promise<void> {
  await sqlOf(db)
    .insertInto('top_ups')
    .values({
      ...{ id: begun.id, account_id: begun.account_id, amount: String(begun.amount) },
      ...{ state: 'begun' as const, session_id: null, session_url: null, provider_live: null },
      ...{ payment_intent: null, problem: null, credited_at: null },
      begun_at: toTimestamp(begun.begun_at),
      looked_at: toTimestamp(begun.begun_at),
      look_at: toTimestamp(begun.look_at),
    })
    .execute();
}

export const findTopUp = (db: Db, id: string) => one(selectTopUps(db).where('id', '=', id));

export const findTopUpByPayment = (db: Db, paymentIntent: string) =>
  one(selectTopUps(db).where('payment_intent', '=', paymentIntent));

/** Nobody else settles it until the transaction ends. */
export const lockTopUp = (tx: Db, id: string) =>
  one(selectTopUps(tx).where('id', '=', id).forUpdate());

export type TopUpChange = Partial<
  Pick<
    TopUpRow,
    | ('state' | 'session_id' | 'session_url' | 'provider_live' | 'payment_intent' | 'problem')
    | ('looked_at' | 'look_at' | 'credited_at' | 'refunded' | 'taken_back')
  >
>;

export async function updateTopUp(tx: Db, id: string, change: TopUpChange): Promise<void> {
  const { looked_at, look_at, credited_at, refunded, taken_back, ...plain } = change;
  await sqlOf(tx)
    .updateTable('top_ups')
    .set({
      ...plain,
      ...(looked_at !== undefined && { looked_at: toTimestamp(looked_at) }),
      ...(look_at !== undefined && { look_at: toTimestampOrNull(look_at) }),
      ...(credited_at !== undefined && { credited_at: toTimestampOrNull(credited_at) }),
      ...(refunded !== undefined && { refunded: String(refunded) }),
      ...(taken_back !== undefined && { taken_back: String(taken_back) }),
    })
    .where('id', '=', id)
    .execute();
}

/** Newest first. */
export async function listTopUps(
  db: Db,
  which: { readonly accountId?: string; readonly isShort?: boolean; readonly limit: number },
): Promise<readonly TopUpRow[]> {
  let query = selectTopUps(db);
  if (which.accountId !== undefined) query = query.where('account_id', '=', which.accountId);
  if (which.isShort) {
    query = query.where((where) =>
      where.or([where('state', '=', 'refused'), sql<boolean>`taken_back < refunded`]),
    );
  }
  const newest = query.orderBy('begun_at', 'desc').orderBy('id', 'desc');
  return (await newest.limit(which.limit).execute()).map(rowOf);
}

/** Those that are to be asked about again, each for one worker: the next look is moved on. */
export async function claimTopUps(
  db: Db,
  claim: { readonly now: number; readonly until: number; readonly most: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE top_ups SET look_at = ${toSqlTime(claim.until)}::timestamptz WHERE id IN (
      SELECT id FROM top_ups WHERE look_at <= ${toSqlTime(claim.now)}::timestamptz
      ORDER BY look_at LIMIT ${claim.most} FOR UPDATE SKIP LOCKED)
    RETURNING id`.execute(sqlOf(db));
  return rows.map(({ id }) => id);
}

/** What could be taken out of the wallet, in micro-fen: at most what there was in cash. */
export async function takeBack(
  tx: Db,
  now: number,
  back: {
    readonly accountId: string;
    readonly most: bigint;
    readonly reference: string;
    readonly reason: string;
    readonly actor: string;
  },
): Promise<bigint> {
  const { rows } = await sql<{ taken: string }>`
    SELECT ledger_take_back(${back.accountId}, true, ${toSqlTime(now)}::timestamptz,
      ${String(back.most)}::bigint, ${back.reference}, ${back.reason}, ${back.actor})::text
      AS taken`.execute(sqlOf(tx));
  return microFen(rows[0]?.taken ?? '0');
}
