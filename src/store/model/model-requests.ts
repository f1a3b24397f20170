// Only this file writes `model_receipts`: requests to models and their replies. Each request is one
// row, which is written before the request is sent. Only the worker that has the claim on a row may
// send its request.
import { type Selectable, sql, type UpdateObject } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import { instant, inTransaction, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type StoredModelRequest = Readonly<Selectable<Schema['model_receipts']>>;

export type NewModelRequest = Pick<
  StoredModelRequest,
  'id' | 'question' | 'step' | 'model' | 'prompt' | 'prompt_version' | 'subject' | 'turn' | 'round'
>;

export type ClaimOptions = {
  readonly claim: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** After an unknown outcome, a request is not repeated for this long. */
  readonly unknownRetryMs: number;
  /** After a failure, a request is not repeated for this long. */
  readonly failureRetryMs: number;
};

export type RequestClaim =
  /**
   * Claimed by this worker. `released`: the earlier attempt of the same request, whose outcome is
   * unknown; null: there is none.
   */
  | { readonly kind: 'claimed'; readonly id: string; readonly released: ReleasedRequest | null }
  | { readonly kind: 'answered'; readonly request: StoredModelRequest }
  /** Another worker is sending the request. */
  | { readonly kind: 'busy' }
  /** The outcome is unknown, and the server may still bill the request. */
  | { readonly kind: 'held'; readonly until: number }
  | { readonly kind: 'failed'; readonly error: string };

export type ReleasedRequest = Pick<
  StoredModelRequest,
  'step' | 'model' | 'held_tokens' | 'held_cost'
>;

/** A request with an unknown outcome is repeated once, so it is paid at most twice. */
const MAX_RELEASES = 1;

/** Finds or creates the row of a request, and claims it if the request may be sent. */
export async function claimRequest(
  db: Db,
  request: NewModelRequest,
  options: ClaimOptions,
): Promise<RequestClaim> {
  return inTransaction(db, async (tx) => {
    const inserted = await insertRequest(tx, request, options);
    if (inserted) return { kind: 'claimed', id: request.id, released: null };
    const row = await lockRequest(tx, request.question);
    // The row was deleted between the two statements; the next attempt inserts it.
    if (row === null) return { kind: 'busy' };
    return claimExisting(tx, row, options);
  });
}

/** A worker sends a claimed request within this time. Later, another worker may claim the row. */
const WAITING_MS = 10_000;
const waitUntil = (now: number) => toTimestamp(now + WAITING_MS);

async function insertRequest(
  tx: Db,
  request: NewModelRequest,
  { claim, now }: ClaimOptions,
): Promise<boolean> {
  const at = toTimestamp(now);
  const { numInsertedOrUpdatedRows = 0n } = await sqlOf(tx)
    .insertInto('model_receipts')
    .values({
      ...request,
      state: 'waiting',
      claim,
      claimed_until: waitUntil(now),
      sent: 0,
      released: 0,
      held_tokens: 0,
      held_cost: 0n,
      first_at: at,
      asked_at: null,
      settled_at: null,
      answer: null,
      finish: null,
      prompt_tokens: 0,
      answer_tokens: 0,
      cost: 0n,
      error: null,
    })
    .onConflict((conflict) => conflict.column('question').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

async function claimExisting(
  tx: Db,
  row: StoredModelRequest,
  options: ClaimOptions,
): Promise<RequestClaim> {
  const { now, claim, unknownRetryMs, failureRetryMs } = options;
  if (row.state === 'answered') return { kind: 'answered', request: row };
  const error = row.error ?? 'the request failed before';
  if (row.state === 'failed' && (row.settled_at ?? now) + failureRetryMs > now) {
    return { kind: 'failed', error };
  }
  if (row.state === 'waiting' && row.claimed_until > now) return { kind: 'busy' };
  if (row.state === 'asked') {
    if (row.claimed_until > now) return { kind: 'busy' };
    const until = row.claimed_until + unknownRetryMs;
    if (until > now) return { kind: 'held', until };
    if (row.released >= MAX_RELEASES) return abandonRequest(tx, row, now);
  }
  const released = row.state === 'asked' ? row : null;
  await sqlOf(tx)
    .updateTable('model_receipts')
    .set({
      state: 'waiting',
      claim,
      claimed_until: waitUntil(now),
      settled_at: null,
      released: row.released + (released === null ? 0 : 1),
      held_tokens: 0,
      held_cost: 0n,
    })
    .where('id', '=', row.id)
    .execute();
  return { kind: 'claimed', id: row.id, released };
}

/** The reply was lost twice, so the request is never repeated. */
async function abandonRequest(tx: Db, row: StoredModelRequest, now: number): Promise<RequestClaim> {
  const error = 'the reply was lost twice, so the request is not sent again';
  const farFuture = toTimestamp(Math.max(now, row.claimed_until) + 36_500 * DAY_MS);
  await sqlOf(tx)
    .updateTable('model_receipts')
    .set({ state: 'failed', settled_at: farFuture, error })
    .where('id', '=', row.id)
    .execute();
  return { kind: 'failed', error };
}

async function lockRequest(tx: Db, question: string): Promise<StoredModelRequest | null> {
  const row = await sqlOf(tx)
    .selectFrom('model_receipts')
    .selectAll()
    .select([sql<string>`held_cost::text`.as('held'), sql<string>`cost::text`.as('paid')])
    .where('question', '=', question)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { held, paid, ...columns } = row;
  return { ...columns, held_cost: microFen(held), cost: microFen(paid) };
}

type Claim = { readonly id: string; readonly claim: string };

/**
 * Updates a row that has the expected state and claim. Returns false when another worker has the
 * claim.
 */
async function markRequest(
  tx: Db,
  { id, claim }: Claim,
  expectedState: 'waiting' | 'asked',
  values: UpdateObject<Schema, 'model_receipts'>,
): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(tx)
    .updateTable('model_receipts')
    .set(values)
    .where('id', '=', id)
    .where('claim', '=', claim)
    .where('state', '=', expectedState)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const nothingHeld = { held_tokens: 0, held_cost: 0n } as const;

/** Keeps the claim until shortly after `at`, the time when the request will be sent. */
export const extendRequestClaim = (db: Db, claim: Claim, at: number): Promise<boolean> =>
  markRequest(db, claim, 'waiting', { claimed_until: waitUntil(at) });

/** `cost` in micro-fen. */
export type ReservedCost = { readonly tokens: number; readonly cost: bigint };

/** Called before sending. Returns false when another worker has the claim. */
export const markSent = (
  tx: Db,
  claim: Claim,
  {
    now,
    until,
    held,
  }: { readonly now: number; readonly until: number; readonly held: ReservedCost },
): Promise<boolean> =>
  markRequest(tx, claim, 'waiting', {
    state: 'asked',
    asked_at: toTimestamp(now),
    claimed_until: toTimestamp(until),
    held_tokens: held.tokens,
    held_cost: held.cost,
    sent: sql<number>`sent + 1`,
  });

/** The server refused, or the request did not reach it: no request is in flight. */
export const markUnsent = (tx: Db, claim: Claim, now: number): Promise<boolean> =>
  markRequest(tx, claim, 'asked', {
    state: 'waiting',
    claimed_until: waitUntil(now),
    ...nothingHeld,
  });

type Failure = { readonly now: number; readonly error: string };

/** The request was sent, and its outcome is unknown to the sender. */
export const markUnknown = (tx: Db, claim: Claim, { now, error }: Failure): Promise<boolean> =>
  markRequest(tx, claim, 'asked', { claimed_until: toTimestamp(now), error });

export const markFailed = (tx: Db, claim: Claim, { now, error }: Failure): Promise<boolean> =>
  markRequest(tx, claim, 'waiting', {
    state: 'failed',
    settled_at: toTimestamp(now),
    error,
    ...nothingHeld,
  });

/**
 * Marks sent requests whose reply was lost as failed, and returns them. These rows are never sent
 * again; a new request can contain their texts.
 */
export async function failLostRequests(
  tx: Db,
  ids: readonly string[],
  { now, error }: Failure,
): Promise<readonly ReleasedRequest[]> {
  if (ids.length === 0) return [];
  const rows = await sqlOf(tx)
    .selectFrom('model_receipts')
    .select(['id', 'step', 'model', 'held_tokens', sql<string>`held_cost::text`.as('held')])
    .where('id', 'in', [...ids].sort())
    .where('state', '=', 'asked')
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id } of rows) {
    await sqlOf(tx)
      .updateTable('model_receipts')
      .set({ state: 'failed', released: 1, settled_at: toTimestamp(now), error, ...nothingHeld })
      .where('id', '=', id)
      .execute();
  }
  return rows.map(({ id: _id, held, ...row }) => ({ ...row, held_cost: microFen(held) }));
}

/** `cost` in micro-fen. */
export type PaidReply = {
  readonly answer: string | null;
  readonly finish: string | null;
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly cost: bigint;
  readonly error: string | null;
  readonly now: number;
};

/**
 * The first reply is kept. `answer` null: a paid reply that cannot be used, which counts as a
 * failure.
 */
export async function markReplied(tx: Db, id: string, paid: PaidReply): Promise<void> {
  await sqlOf(tx)
    .updateTable('model_receipts')
    .set({
      state: paid.answer === null ? 'failed' : 'answered',
      answer: paid.answer,
      finish: paid.finish,
      prompt_tokens: paid.promptTokens,
      error: paid.error,
      answer_tokens: paid.answerTokens,
      cost: sql<bigint>`cost + ${paid.cost}`,
      settled_at: toTimestamp(paid.now),
      ...nothingHeld,
    })
    .where('id', '=', id)
    .where('state', '<>', 'answered')
    .execute();
}

export type UnknownRequest = Pick<
  StoredModelRequest,
  'id' | 'step' | 'model' | 'subject' | 'sent' | 'released' | 'asked_at' | 'claimed_until'
> & { readonly heldCost: bigint };

/** Sent requests with an unknown outcome after their deadline, oldest first. */
export async function listUnknownRequests(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly UnknownRequest[]> {
  const rows = await sqlOf(db)
    .selectFrom('model_receipts')
    .select(['id', 'step', 'model', 'subject', 'sent', 'released', 'asked_at', 'claimed_until'])
    .select(sql<string>`held_cost::text`.as('held'))
    .where('state', '=', 'asked')
    .where('claimed_until', '<=', instant(now))
    .orderBy('claimed_until')
    .limit(limit)
    .execute();
  return rows.map(({ held, ...row }) => ({ ...row, heldCost: microFen(held) }));
}

export async function countUnknownRequests(db: Db, now: number): Promise<number> {
  const { count } = await sqlOf(db)
    .selectFrom('model_receipts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'asked')
    .where('claimed_until', '<=', instant(now))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Deletes requests that ended before an instant, and requests without an outcome whose claim ended
 * before the instant.
 */
export async function deleteRequests(db: Db, before: number): Promise<void> {
  await sqlOf(db)
    .deleteFrom('model_receipts')
    .where((where) =>
      where.or([
        where('settled_at', '<', instant(before)),
        where.and([
          where('state', 'in', ['waiting', 'asked']),
          where('claimed_until', '<', instant(before)),
        ]),
      ]),
    )
    .execute();
}
