// Lists top-ups, newest first: of one account, by an operator's search, or with problems that need
// an operator. Such problems are a wrong amount, a dispute that needs a response, or a debt.

import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { type DisputeRow, listTopUpDisputes } from '../../../store/gateway/top-up-disputes.ts';
import { listTopUpRefunds, type RefundRow } from '../../../store/gateway/top-up-refunds.ts';
import {
  countTroubles,
  findTopUp,
  listTopUps,
  readAccountDebt,
  type TopUpQuery,
  type TopUpState,
} from '../../../store/gateway/top-ups.ts';
import { hasFailed } from './refund.ts';
import { type TopUp, topUpOf } from './top-up.ts';

export type { TopUpState };

export type TopUpSelection = { readonly accountId: string } | 'troubled' | 'all';

export async function listSelectedTopUps(
  db: Db,
  selection: TopUpSelection,
  limit: number,
): Promise<readonly TopUp[]> {
  const filter =
    selection === 'all' ? {} : selection === 'troubled' ? { isTroubled: true } : selection;
  return (await listTopUps(db, { ...filter, limit })).map(topUpOf);
}

/** A dispute for the operators' pages; times in epoch milliseconds. */
export type Dispute = Pick<DisputeRow, 'id' | 'amount' | 'reason' | 'status'> & {
  readonly openedAt: number;
  readonly answerBy: number | null;
};

/** A refund at the provider, for the operators' pages. */
export type Refund = Pick<RefundRow, 'id' | 'amount' | 'status' | 'reason'> & {
  readonly begunAt: number;
};

export type TopUpDetails = TopUp & {
  readonly disputes: readonly Dispute[];
  readonly refunds: readonly Refund[];
};

export async function searchTopUps(db: Db, query: TopUpQuery): Promise<readonly TopUpDetails[]> {
  return addDetails(db, (await listTopUps(db, query)).map(topUpOf));
}

/** Null: no top-up has this id. */
export async function readTopUpDetails(db: Db, id: string): Promise<TopUpDetails | null> {
  const row = await findTopUp(db, id);
  return row === null ? null : ((await addDetails(db, [topUpOf(row)]))[0] ?? null);
}

/** The amount of failed refunds, which the provider returned. */
export async function sumFailedRefunds(db: Db, id: string): Promise<MicroFen> {
  const failedRefunds = (await listTopUpRefunds(db, [id])).filter(hasFailed);
  return failedRefunds.reduce((sum, { amount }) => sum + amount, 0n);
}

async function addDetails(db: Db, topUps: readonly TopUp[]): Promise<readonly TopUpDetails[]> {
  const ids = topUps.map(({ id }) => id);
  const refunds = await listTopUpRefunds(db, ids);
  const disputes = await listTopUpDisputes(db, ids);
  return topUps.map((topUp) => ({
    ...topUp,
    refunds: refunds
      .filter(({ top_up_id }) => top_up_id === topUp.id)
      .map(({ begun_at: begunAt, id, amount, status, reason }) => ({
        id,
        amount,
        status,
        reason,
        begunAt,
      })),
    disputes: disputes
      .filter(({ top_up_id }) => top_up_id === topUp.id)
      .map(({ id, amount, reason, status, opened_at: openedAt, answer_by: answerBy }) => ({
        id,
        amount,
        reason,
        status,
        openedAt,
        answerBy,
      })),
  }));
}

/** Number of top-ups that need an operator, and the total debt. */
export const countTopUpTroubles = (db: Db) => countTroubles(db);

/** The account's debt for payments that the provider took back. */
export const readDebt = (db: Db, accountId: string): Promise<MicroFen> =>
  readAccountDebt(db, accountId);
