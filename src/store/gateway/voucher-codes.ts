// Only this file writes `voucher_batches` and `voucher_codes`: codes that customers redeem for
// vouchers. Codes are stored as hashes. Redemption locks the batch until the voucher is issued.
import { type Selectable, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

/** `amount` in micro-fen, instants as epoch milliseconds. */
export type VoucherBatchRow = Readonly<Selectable<Schema['voucher_batches']>>;
export type VoucherCodeRow = Readonly<Selectable<Schema['voucher_codes']>>;

export async function insertVoucherBatch(
  tx: Db,
  batch: Omit<VoucherBatchRow, 'withdrawn_at'>,
  hashes: readonly Buffer[],
): Promise<void> {
  await sqlOf(tx)
    .insertInto('voucher_batches')
    .values({
      ...batch,
      amount: String(batch.amount),
      redeem_until: toTimestamp(batch.redeem_until),
      made_at: toTimestamp(batch.made_at),
      withdrawn_at: null,
    })
    .execute();
  await sql`INSERT INTO voucher_codes (hash, batch_id)
    SELECT hash, ${batch.id} FROM unnest(${hashes}::bytea[]) AS made(hash)`.execute(sqlOf(tx));
}

type CountedBatch = VoucherBatchRow & { readonly redeemed: number };
type BatchText = Omit<CountedBatch, 'amount'> & { readonly amount: string };

const columns = [
  ...(['id', 'name', 'count', 'days_valid', 'redeem_until', 'one_per_account'] as const),
  ...(['made_at', 'made_by', 'withdrawn_at'] as const),
  sql<string>`amount::text`.as('amount'),
  sql<number>`(SELECT count(*) FROM voucher_codes c WHERE c.batch_id = voucher_batches.id
    AND c.redeemed_by IS NOT NULL)`.as('redeemed'),
] as const;

const batchOf = (row: BatchText): CountedBatch => ({ ...row, amount: microFen(row.amount) });

/** Newest first, with the number of redeemed codes. */
export async function listVoucherBatchRows(db: Db): Promise<readonly CountedBatch[]> {
  const query = sqlOf(db).selectFrom('voucher_batches').select(columns);
  return (await query.orderBy('made_at', 'desc').orderBy('id', 'desc').execute()).map(batchOf);
}

/** The code with its locked batch; null: there is no such code. */
export async function lockVoucherCode(
  tx: Db,
  hash: Buffer,
): Promise<{ readonly code: VoucherCodeRow; readonly batch: VoucherBatchRow } | null> {
  const codeRow = await sqlOf(tx)
    .selectFrom('voucher_codes')
    .select('batch_id')
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (codeRow === undefined) return null;
  const batch = await sqlOf(tx)
    .selectFrom('voucher_batches')
    .select([...columns])
    .where('id', '=', codeRow.batch_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  // Read after the batch is locked, because another redemption may have finished meanwhile.
  const code = await sqlOf(tx)
    .selectFrom('voucher_codes')
    .selectAll()
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return { code, batch: batchOf(batch) };
}

export async function hasRedeemedBatch(
  tx: Db,
  batchId: string,
  accountId: string,
): Promise<boolean> {
  const row = await sqlOf(tx)
    .selectFrom('voucher_codes')
    .select('batch_id')
    .where('batch_id', '=', batchId)
    .where('redeemed_by', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markRedeemed(
  tx: Db,
  hash: Buffer,
  by: { readonly accountId: string; readonly voucherId: string; readonly at: number },
): Promise<void> {
  await sqlOf(tx)
    .updateTable('voucher_codes')
    .set({
      redeemed_by: by.accountId,
      voucher_id: by.voucherId,
      redeemed_at: toTimestamp(by.at),
    })
    .where('hash', '=', hash)
    .execute();
}

/** False: the batch does not exist or was withdrawn before. */
export async function withdrawBatch(db: Db, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await sqlOf(db)
    .updateTable('voucher_batches')
    .set({ withdrawn_at: toTimestamp(at) })
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
