// Re-enriches old items on request, because a new prompt, model or rule applies only to new items.
// The items become pending, and enrichment replaces the stored result.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  countAwaiting,
  type EnrichmentFilter,
  queueEnrichment,
} from '../../store/radar/sources/items.ts';

/** Returns the ids of the items that are pending now. */
export async function reEnrichItems(
  { clock }: World,
  db: Db,
  filter: EnrichmentFilter,
): Promise<readonly string[]> {
  return queueEnrichment(db, filter, clock.now());
}

export async function countPendingItems(db: Db, ids: readonly string[]): Promise<number> {
  return countAwaiting(db, ids);
}
