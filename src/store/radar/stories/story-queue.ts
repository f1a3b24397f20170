// Only this file writes `story_queue`: items that have no story yet.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';

/** Queues items after their enrichment; an item with a story keeps it. */
export async function queueStoryAssignments(tx: Db, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return;
  await sqlOf(tx)
    .insertInto('story_queue')
    .values(itemIds.map((item_id) => ({ item_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type WaitingItem = {
  readonly id: string;
  readonly published_at: number | null;
  readonly discovered_at: number;
};

/** The fields that determine the order of waiting items. */
export async function listItemsAwaitingStory(db: Db): Promise<readonly WaitingItem[]> {
  return sqlOf(db)
    .selectFrom('story_queue as q')
    .innerJoin('items as i', 'i.id', 'q.item_id')
    .select(['i.id', 'i.published_at', 'i.discovered_at'])
    .execute();
}

export async function isStoryAwaited(db: Db): Promise<boolean> {
  const rows = await sqlOf(db).selectFrom('story_queue').select('item_id').limit(1).execute();
  return rows.length > 0;
}

/** Removes items that were assigned to stories, also by another worker. */
export async function removeFromStoryQueue(tx: Db, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return;
  await sqlOf(tx)
    .deleteFrom('story_queue')
    .where('item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
}
