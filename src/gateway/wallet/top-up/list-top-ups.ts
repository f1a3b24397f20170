// Top-ups as they stand here, newest first: an account's, those that operators look for, and those
// that somebody must settle, because what was paid was not what was asked for, a bank waits for an
// answer, or what was taken back had been spent.
import type { Db } from '../../../kernel/db.ts';
import type { MicroFen } from '../../../kernel/money.ts';
import { type DisputeRow, disputesOf } from '../../../store/top-up-disputes.ts';
import {
  countTroubles,
  findTopUp,
  listTopUps,
  owedBy,
  type TopUpQuery,
  type TopUpState,
} from '../../../store/top-ups.ts';
import { type TopUp, topUpOf } from './top-up.ts';

export type { TopUpState };

export type WhichTopUps = { readonly accountId: string } | 'troubled' | 'all';

export async function topUpsOf(
  db: Db,
  which: WhichTopUps,
  limit: number,
): Promise<readonly TopUp[]> {
  const filter = which === 'all' ? {} : which === 'troubled' ? { isTroubled: true } : which;
  return (await listTopUps(db, { ...filter, limit })).map(topUpOf);
}

/** A dispute as operators read it: times in epoch milliseconds. */
export type Dispute = Pick<DisputeRow, 'id' | 'amount' | 'reason' | 'status'> & {
  readonly openedAt: number;
  readonly answerBy: number | null;
};

export type LookedUp = TopUp & { readonly disputes: readonly Dispute[] };

export async function searchTopUps(db: Db, query: TopUpQuery): Promise<readonly LookedUp[]> {
  return withDisputes(db, (await listTopUps(db, query)).map(topUpOf));
}

/** Null: there is none of that id. */
export async function lookUp(db: Db, id: string): Promise<LookedUp | null> {
  const row = await findTopUp(db, id);
  return row === null ? null : ((await withDisputes(db, [topUpOf(row)]))[0] ?? null);
}

async function withDisputes(db: Db, topUps: readonly TopUp[]): Promise<readonly LookedUp[]> {
  const all = await disputesOf(
    db,
    topUps.map(({ id }) => id),
  );
  return topUps.map((one) => ({
    ...one,
    disputes: all
      .filter(({ top_up_id }) => top_up_id === one.id)
      .map(({ id, amount, reason, status, opened_at: openedAt, answer_by: answerBy }) => ({
        ...{ id, amount, reason, status, openedAt, answerBy },
      })),
  }));
}

/** How many must be settled by somebody, and how much is owed. */
export const topUpTroubles = (db: Db) => countTroubles(db);

/** What one account owes for payments that were taken back. */
export const owedOf = (db: Db, accountId: string): Promise<MicroFen> => owedBy(db, accountId);
