// Only this file writes `top_up_refunds`: refunds of top-ups. Writers can arrive in any order; a
// state with a lower rank does not replace the stored state.
import { type Selectable, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';
import type { RefundStatus } from '../schema/top-ups.ts';

export type { RefundStatus };

/** `amount` in micro-fen, instants as epoch milliseconds. */
export type RefundRow = Readonly<Selectable<Schema['top_up_refunds']>>;

/** The caller holds the lock of the top-up's row. */
export async function saveRefund(tx: Db, row: RefundRow): Promise<void> {
  await sqlOf(tx)
    .insertInto('top_up_refunds')
    .values({ ...row, amount: String(row.amount), begun_at: toTimestamp(row.begun_at) })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({
          amount: ref('excluded.amount'),
          status: ref('excluded.status'),
          rank: ref('excluded.rank'),
          reason: ref('excluded.reason'),
        }))
        .whereRef('top_up_refunds.rank', '<=', 'excluded.rank')
        .whereRef('top_up_refunds.top_up_id', '=', 'excluded.top_up_id'),
    )
    .execute();
}

/** Refunds of these top-ups, oldest first. */
export async function listTopUpRefunds(
  db: Db,
  topUpIds: readonly string[],
): Promise<readonly RefundRow[]> {
  if (topUpIds.length === 0) return [];
  const rows = await sqlOf(db)
    .selectFrom('top_up_refunds')
    .select(['id', 'top_up_id', 'status', 'rank', 'reason', 'begun_at'])
    .select(sql<string>`amount::text`.as('amount'))
    .where('top_up_id', 'in', topUpIds)
    .orderBy('begun_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, amount: microFen(row.amount) }));
}
