// Only this file writes `actor_days`: the number of pseudonymous clients per day.
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';

/** `day` is a calendar day; `hashes` are keyed with a secret of that day. */
export async function saveActorHashes(
  db: Db,
  day: string,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  await sqlOf(db)
    .insertInto('actor_days')
    .values(hashes.map((hash) => ({ day, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
