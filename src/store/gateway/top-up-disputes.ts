// Only this file writes `top_up_disputes`: disputes of top-ups. The states of a dispute can arrive
// in any order; a state with a lower rank does not replace the stored one.
import { type Selectable, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';
import type { DisputeStatus } from '../schema/top-ups.ts';

export type { DisputeStatus };

/** `amount` in micro-fen, instants as epoch milliseconds. */
export type DisputeRow = Readonly<Selectable<Schema['top_up_disputes']>>;

/** The caller holds the lock of the top-up's row. */
export async function saveDispute(tx: Db, row: DisputeRow): Promise<void> {
  await sqlOf(tx)
    .insertInto('top_up_disputes')
    .values({
      ...row,
      amount: String(row.amount),
      opened_at: toTimestamp(row.opened_at),
      answer_by: toTimestampOrNull(row.answer_by),
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(({ ref }) => ({
          amount: ref('excluded.amount'),
          reason: ref('excluded.reason'),
          status: ref('excluded.status'),
          rank: ref('excluded.rank'),
          withheld: ref('excluded.withheld'),
          answer_by: ref('excluded.answer_by'),
        }))
        .whereRef('top_up_disputes.rank', '<=', 'excluded.rank')
        .whereRef('top_up_disputes.top_up_id', '=', 'excluded.top_up_id'),
    )
    .execute();
}

/** Disputes of these top-ups, oldest first. */
export async function listTopUpDisputes(
  db: Db,
  topUpIds: readonly string[],
): Promise<readonly DisputeRow[]> {
  if (topUpIds.length === 0) return [];
  const rows = await sqlOf(db)
    .selectFrom('top_up_disputes')
    .select(['id', 'top_up_id', 'reason', 'status', 'rank', 'withheld', 'opened_at', 'answer_by'])
    .select(sql<string>`amount::text`.as('amount'))
    .where('top_up_id', 'in', topUpIds)
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, amount: microFen(row.amount) }));
}
