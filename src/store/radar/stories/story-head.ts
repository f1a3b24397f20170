// Only this file writes `story_head`: the number of the last decision about stories. Its row is
// locked before each decision, and before the row of `publication_head`.
import type { Selectable } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestampOrNull } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoryHead = Readonly<Omit<Selectable<Schema['story_head']>, 'only_row'>>;

const columns = ['seq', 'looked_at', 'compared_at', 'split_at'] as const;

/** The current head without waiting for a concurrent decision. */
export async function readStoryHead(db: Db): Promise<StoryHead> {
  const row = await sqlOf(db).selectFrom('story_head').select(columns).executeTakeFirst();
  return row ?? { seq: 0, looked_at: null, compared_at: null, split_at: null };
}

/**
 * First statement of every transaction that decides about stories, so only one transaction decides
 * at a time.
 */
export async function lockStories(tx: Db): Promise<StoryHead> {
  await sqlOf(tx)
    .insertInto('story_head')
    .values({ only_row: true, seq: 0, looked_at: null, compared_at: null, split_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return sqlOf(tx).selectFrom('story_head').select(columns).forUpdate().executeTakeFirstOrThrow();
}

export async function saveStoryHead(tx: Db, head: StoryHead): Promise<void> {
  await sqlOf(tx)
    .updateTable('story_head')
    .set({
      seq: head.seq,
      looked_at: toTimestampOrNull(head.looked_at),
      compared_at: toTimestampOrNull(head.compared_at),
      split_at: toTimestampOrNull(head.split_at),
    })
    .execute();
}
