// Reads the public content of the subjects of notifications, for matching and sending.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf } from '../platform/db.ts';
import type { PublicItemRow } from '../radar/publication/public-items.ts';

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;

/** Public items of these stories. */
export async function listPublicItemsOfStories(
  db: Db,
  storyIds: readonly string[],
): Promise<readonly PublicItemRow[]> {
  if (storyIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('public_items')
    .selectAll()
    .where('story_id', '=', anyOf(storyIds))
    .orderBy('timeline_at')
    .orderBy('id')
    .execute();
}

/** Public items of a duplicate group. */
export async function listPublicItemsOfGroup(
  db: Db,
  groupId: string,
): Promise<readonly PublicItemRow[]> {
  return sqlOf(db)
    .selectFrom('public_items as p')
    .innerJoin('reading_group_members as m', 'm.item_id', 'p.id')
    .selectAll('p')
    .where('m.group_id', '=', groupId)
    .orderBy('p.timeline_at')
    .orderBy('p.id')
    .execute();
}

/** Returns the number of corrections that operators made to these items since an instant. */
export async function countCorrections(
  db: Db,
  itemIds: readonly string[],
  since: number,
): Promise<number> {
  if (itemIds.length === 0) return 0;
  const row = await sqlOf(db)
    .selectFrom('item_actions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('item_id', '=', anyOf(itemIds))
    .where('action', '=', 'correct')
    .where('at', '>=', instant(since))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
