// Posts transfers that belong to no call, and maintains the ledger. Each function executes one
// statement.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { inTransaction, sqlOf } from '../platform/db.ts';
import { decodeTransfer, type TransferResult } from './decode-result.ts';
import { type BatchTime, toSqlTime } from './parameters.ts';

export type Transfer = {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly kind: 'top_up' | 'top_up_return' | 'top_up_refund_failed' | 'credit' | 'voucher';
  /** Balances: `top-ups`, `promotions`, `refunds`, `cash`, `voucher:…`. */
  readonly source: string;
  readonly target: string;
  /** Micro-fen, above 0. */
  readonly amount: bigint;
  /** A repeated reference posts nothing. */
  readonly reference: string | null;
  readonly requestId: string | null;
  readonly reason: string | null;
  readonly actor: string | null;
  /** Name of a voucher. */
  readonly label: string | null;
  readonly expiresAt: number | null;
};

export async function postTransfer(
  db: Db,
  now: number,
  transfer: Transfer,
): Promise<TransferResult> {
  const { accountId, livemode, kind, source, target, reference, requestId } = transfer;
  const { reason, actor, label } = transfer;
  const amount = String(transfer.amount);
  const expiresAt = transfer.expiresAt === null ? null : toSqlTime(transfer.expiresAt);
  const resultText = await resultOf<string>(
    db,
    sql`ledger_transfer(${accountId}, ${livemode}, ${kind}, ${toSqlTime(now)}::timestamptz,
      ${source}, ${target}, ${amount}::bigint, ${reference}, ${requestId}, ${reason}, ${actor},
      ${label}, ${expiresAt}::timestamptz)`,
  );
  return decodeTransfer(resultText);
}

export type RefundOutcome =
  | { kind: 'posted'; entry: number; cash: string; voucher: string; left: string }
  | { kind: 'known'; entry: number; amount: string; left: string }
  | { kind: 'above'; left: string }
  | { kind: 'missing' };

export type RefundPosting = {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly requestId: string;
  /** Micro-fen, above 0. */
  readonly amount: bigint;
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
  /** The balance for amounts that were not charged in cash, its name, and its expiry. */
  readonly voucher: string;
  readonly label: string;
  readonly expiresAt: number;
};

/**
 * Amounts are decimal text; `left` is the amount that can still be refunded. `above`: the amount
 * exceeds `left`. `known`: the reference was posted before.
 */
export async function postRefund(
  db: Db,
  now: number,
  refund: RefundPosting,
): Promise<RefundOutcome> {
  const { accountId, livemode, requestId, amount, reference, reason, actor } = refund;
  const { voucher, label, expiresAt } = refund;
  return resultOf(
    db,
    sql`ledger_refund(${accountId}, ${livemode}, ${toSqlTime(now)}::timestamptz, ${requestId},
      ${String(amount)}::bigint, ${reference}, ${reason}, ${actor}, ${voucher}, ${label},
      ${toSqlTime(expiresAt)}::timestamptz)`,
  );
}

/** Starts a wallet's day: grants the allowance, and in test mode also the test money. */
export async function startDay(
  db: Db,
  batchTime: BatchTime,
  wallet: { readonly accountId: string; readonly livemode: boolean },
): Promise<void> {
  await resultOf(
    db,
    sql`ledger_start_day(${wallet.accountId}, ${wallet.livemode},
      ${toSqlTime(batchTime.now)}::timestamptz, ${batchTime.day},
      ${toSqlTime(batchTime.dayEndsAt)}::timestamptz, ${String(batchTime.allowance)}::bigint)`,
  );
}

/** Wallets with money in balances that expired between the two instants. */
export async function listWalletsWithExpiredBalances(
  db: Db,
  since: number,
  now: number,
): Promise<readonly { readonly accountId: string; readonly livemode: boolean }[]> {
  return sqlOf(db)
    .selectFrom('books')
    .select(['account_id as accountId', 'livemode'])
    .distinct()
    .where('expires_at', '<=', sql<number>`${toSqlTime(now)}::timestamptz`)
    .where('expires_at', '>', sql<number>`${toSqlTime(since)}::timestamptz`)
    .where('available', '>', sql<bigint>`0`)
    .execute();
}

/** Empties expired balances of a wallet and returns their number. */
export async function expireWallet(
  db: Db,
  now: number,
  wallet: { readonly accountId: string; readonly livemode: boolean },
): Promise<number> {
  const { accountId, livemode } = wallet;
  const at = sql`${toSqlTime(now)}::timestamptz`;
  return resultOf(db, sql`ledger_expire_wallet(${accountId}, ${livemode}, ${at})`);
}

export async function deleteExpiredResponses(db: Db, now: number): Promise<void> {
  await resultOf(db, sql`ledger_forget_answers(${toSqlTime(now)}::timestamptz)`);
}

/** A hold past its deadline, claimed by this worker. */
export type OverdueHold = {
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly capability: string;
  readonly openedAt: number;
};

export async function claimOverdue(
  db: Db,
  claim: { readonly now: number; readonly until: number; readonly max: number },
): Promise<readonly OverdueHold[]> {
  const { rows } = await sql<OverdueHold>`
    SELECT request_id AS "requestId", account_id AS "accountId", livemode, capability,
      opened_at AS "openedAt"
    FROM ledger_claim_overdue(${toSqlTime(claim.now)}::timestamptz,
      ${toSqlTime(claim.until)}::timestamptz, ${claim.max})`.execute(sqlOf(db));
  return rows;
}

export async function markHoldUnknown(db: Db, requestId: string, until: number): Promise<void> {
  const at = sql`${toSqlTime(until)}::timestamptz`;
  await resultOf(db, sql`ledger_leave_unknown(${requestId}, ${at})`);
}

/** The last entry that can be sealed. Fails when writers hold the lock for two seconds. */
export async function readLastSealableEntry(db: Db): Promise<string> {
  return inTransaction(db, async (tx) => {
    await sql`SET LOCAL lock_timeout = 2000`.execute(sqlOf(tx));
    return resultOf<string>(tx, sql`ledger_horizon()::text`);
  });
}

/** Adds one seal up to the entry `horizon`; returns the number of entries that the seal covers. */
export async function sealEntries(
  db: Db,
  seal: { readonly now: number; readonly horizon: string; readonly max: number },
): Promise<number> {
  const { now, horizon, max } = seal;
  return resultOf(
    db,
    sql`ledger_seal(${toSqlTime(now)}::timestamptz, ${horizon}::bigint, ${max}::integer)`,
  );
}

/**
 * Makes a checkpoint at a seal whose entries an audit found without violations. Returns the number
 * of the checkpoint. Null: an earlier checkpoint covers the seal.
 */
export async function makeCheckpoint(
  db: Db,
  { now, seal }: { readonly now: number; readonly seal: number },
): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    // The first checkpoint sums the whole journal.
    await sql`SET LOCAL statement_timeout = 0`.execute(sqlOf(tx));
    return resultOf(tx, sql`ledger_checkpoint(${toSqlTime(now)}::timestamptz, ${seal}::bigint)`);
  });
}

/**
 * Whether the maintenance has work: an overdue hold, an expired balance, an old response or an
 * unsealed entry.
 */
export async function isLedgerBehind(db: Db, since: number, now: number): Promise<boolean> {
  const [from, to] = [sql`${toSqlTime(since)}::timestamptz`, sql`${toSqlTime(now)}::timestamptz`];
  return resultOf(
    db,
    sql`(EXISTS (SELECT FROM deadlines WHERE deadline_at <= ${to})
      OR EXISTS (SELECT FROM entries
        WHERE seq > (SELECT coalesce(max(last_seq), 0) FROM seals))
      OR EXISTS (SELECT FROM answers WHERE kept_until <= ${to})
      OR EXISTS (SELECT FROM books
        WHERE expires_at > ${from} AND expires_at <= ${to} AND available > 0))`,
  );
}

async function resultOf<T>(db: Db, call: RawBuilder<unknown>): Promise<T> {
  const { rows } = await sql<{ value: T }>`SELECT ${call} AS value`.execute(sqlOf(db));
  return rows[0]?.value as T;
}
