// Only this file writes `push_tokens`: hashes of the tokens of push sources.
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';

/** A source has at most one token; a new token replaces the previous one. */
export async function savePushToken(
  db: Db,
  sourceId: string,
  hash: Uint8Array,
  now: number,
): Promise<void> {
  const row = { source_id: sourceId, hash: Buffer.from(hash), made_at: toTimestamp(now) };
  await sqlOf(db)
    .insertInto('push_tokens')
    .values(row)
    .onConflict((conflict) => conflict.column('source_id').doUpdateSet(row))
    .execute();
}

/** False: the source had no token. */
export async function deletePushToken(db: Db, sourceId: string): Promise<boolean> {
  const result = await sqlOf(db)
    .deleteFrom('push_tokens')
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function findPushToken(
  db: Db,
  hash: Uint8Array,
): Promise<{ readonly sourceId: string; readonly hash: Uint8Array } | null> {
  const row = await sqlOf(db)
    .selectFrom('push_tokens')
    .select(['source_id', 'hash'])
    .where('hash', '=', Buffer.from(hash))
    .executeTakeFirst();
  return row ? { sourceId: row.source_id, hash: row.hash } : null;
}
