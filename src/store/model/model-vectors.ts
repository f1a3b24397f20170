// Only this file writes `model_vectors`: vectors of texts. A text is claimed before it is sent, so
// two workers never send the same text at the same time.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';

export type StoredVector = {
  readonly hash: string;
  /** Null: there is no vector yet, because the text is claimed or its batch was not processed. */
  readonly vector: Uint8Array | null;
  readonly claimedUntil: number;
  /** Id of the last batch with this text; empty: the text is not in flight. */
  readonly receiptId: string;
  /** Number of times that the text was sent again after a lost reply. */
  readonly released: number;
};

/** A text with a lost reply is sent again once, so it is paid at most twice. */
export const maxReleases = 1;
const NO_RECEIPT = '';

export async function findVectors(
  db: Db,
  model: string,
  hashes: readonly string[],
): Promise<readonly StoredVector[]> {
  const rows = await sqlOf(db)
    .selectFrom('model_vectors')
    .select(['text_hash', 'vector', 'claimed_until', 'receipt_id', 'released'])
    .where('model', '=', model)
    .where('text_hash', '=', sql<string>`any(${[...hashes]}::text[])`)
    .execute();
  return rows.map((row) => {
    const { vector, released } = row;
    const claimFields = { claimedUntil: row.claimed_until, receiptId: row.receipt_id };
    return { hash: row.text_hash, vector, released, ...claimFields };
  });
}

type VectorClaim = {
  readonly model: string;
  readonly receiptId: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Claims that ended before this time are released. */
  readonly endedBefore: number;
};

type ClaimedVectors = {
  /** Texts that this worker must send. */
  readonly hashes: readonly string[];
  /** Batches with lost replies whose deadline has passed. */
  readonly lostBatchIds: readonly string[];
};

/** Claims texts in the transaction that writes their request. */
export async function claimVectors(
  tx: Db,
  hashes: readonly string[],
  claim: VectorClaim,
): Promise<ClaimedVectors> {
  // Rows are locked in one order, so that two workers with the same texts cannot deadlock.
  const sortedHashes = [...hashes].sort();
  const existingRows = await sqlOf(tx)
    .selectFrom('model_vectors')
    .select(['text_hash', 'receipt_id'])
    .where('model', '=', claim.model)
    .where('text_hash', '=', sql<string>`any(${sortedHashes}::text[])`)
    .orderBy('text_hash')
    .forUpdate()
    .execute();
  const rows = await sqlOf(tx)
    .insertInto('model_vectors')
    .values(
      sortedHashes.map((hash) => ({
        model: claim.model,
        text_hash: hash,
        receipt_id: claim.receiptId,
        claimed_until: toTimestamp(claim.until),
        vector: null,
        released: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['model', 'text_hash'])
        .doUpdateSet((eb) => ({
          receipt_id: eb.ref('excluded.receipt_id'),
          claimed_until: eb.ref('excluded.claimed_until'),
          released: sql<number>`model_vectors.released
            + CASE WHEN model_vectors.receipt_id = ${NO_RECEIPT} THEN 0 ELSE 1 END`,
        }))
        .where('model_vectors.vector', 'is', null)
        .where((eb) =>
          eb.or([
            eb('model_vectors.receipt_id', '=', NO_RECEIPT),
            eb.and([
              eb('model_vectors.claimed_until', '<=', instant(claim.endedBefore)),
              eb('model_vectors.released', '<', maxReleases),
            ]),
          ]),
        ),
    )
    .returning('text_hash')
    .execute();
  const claimedHashes = new Set(rows.map((row) => row.text_hash));
  const lostRows = existingRows.filter(
    (row) => claimedHashes.has(row.text_hash) && row.receipt_id !== NO_RECEIPT,
  );
  return {
    hashes: [...claimedHashes],
    lostBatchIds: [...new Set(lostRows.map((row) => row.receipt_id))],
  };
}

export async function saveVectors(
  tx: Db,
  model: string,
  vectors: readonly { readonly hash: string; readonly vector: Uint8Array }[],
): Promise<void> {
  for (const { hash, vector } of [...vectors].sort((a, b) => (a.hash < b.hash ? -1 : 1))) {
    await sqlOf(tx)
      .updateTable('model_vectors')
      .set({ vector: Buffer.from(vector) })
      .where('model', '=', model)
      .where('text_hash', '=', hash)
      .execute();
  }
}

/** The batch was not processed: its texts may be sent again at once. */
export async function freeVectors(tx: Db, receiptId: string): Promise<void> {
  await sqlOf(tx)
    .updateTable('model_vectors')
    .set({ receipt_id: NO_RECEIPT })
    .where('receipt_id', '=', receiptId)
    .where('vector', 'is', null)
    .execute();
}

/** The reply is lost and may have been paid: a later claim can take over the texts of the batch. */
export async function markVectorsLost(tx: Db, receiptId: string, now: number): Promise<void> {
  await sqlOf(tx)
    .updateTable('model_vectors')
    .set({ claimed_until: toTimestamp(now) })
    .where('receipt_id', '=', receiptId)
    .where('vector', 'is', null)
    .execute();
}

/** Deletes texts and vectors whose claim ended before this time, epoch milliseconds. */
export async function deleteOldVectors(db: Db, before: number): Promise<void> {
  await sqlOf(db)
    .deleteFrom('model_vectors')
    .where('claimed_until', '<', instant(before))
    .execute();
}
