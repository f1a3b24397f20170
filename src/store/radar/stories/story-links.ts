// Only this file writes `story_links`: links between stories of one storyline, and between similar
// stories. A link is stored from one end. Readers follow it in both directions, and through merges.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoredStoryLink = Readonly<Selectable<Schema['story_links']>>;

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;

/** Links that start at these stories, the nearest first. */
export async function listStoryLinks(
  db: Db,
  storyIds: readonly string[],
): Promise<readonly StoredStoryLink[]> {
  if (storyIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('story_links')
    .selectAll()
    .where('story_id', '=', anyOf(storyIds))
    .orderBy('story_id')
    .orderBy('score', 'desc')
    .orderBy('other_id')
    .execute();
}

/** Replaces the links that start at these stories. */
export async function replaceLinks(
  tx: Db,
  storyIds: readonly string[],
  links: readonly StoredStoryLink[],
): Promise<void> {
  if (storyIds.length === 0) return;
  await sqlOf(tx).deleteFrom('story_links').where('story_id', '=', anyOf(storyIds)).execute();
  if (links.length > 0) {
    await sqlOf(tx)
      .insertInto('story_links')
      .values([...links])
      .execute();
  }
}
