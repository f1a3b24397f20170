// Only this file writes `story_members`: the current story of each item. The table is the result of
// replaying the assignment log.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoryMember = Readonly<Selectable<Schema['story_members']>>;

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;

/** Members of these stories, in order of first assignment. */
export async function listMembersOfStories(
  db: Db,
  storyIds: readonly string[],
): Promise<readonly StoryMember[]> {
  if (storyIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('story_members')
    .selectAll()
    .where('story_id', '=', anyOf(storyIds))
    .orderBy('ordinal')
    .execute();
}

export async function readMembersByItem(
  db: Db,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, StoryMember>> {
  if (itemIds.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('story_members')
    .selectAll()
    .where('item_id', '=', anyOf(itemIds))
    .execute();
  return new Map(rows.map((row) => [row.item_id, row]));
}

/** Stores the current story of items; a known item keeps its time and ordinal. */
export async function putMembers(tx: Db, members: readonly StoryMember[]): Promise<void> {
  if (members.length === 0) return;
  await sqlOf(tx)
    .insertInto('story_members')
    .values(members.map((member) => ({ ...member, at: toTimestamp(member.at) })))
    .onConflict((conflict) =>
      conflict.column('item_id').doUpdateSet((eb) => ({ story_id: eb.ref('excluded.story_id') })),
    )
    .execute();
}

const MEMBERS_PER_PAGE = 20_000;

/** Members of stories with a report at or after `since`, in pages, in order of first assignment. */
export async function* readLiveMembers(
  db: Db,
  since: number,
): AsyncGenerator<readonly StoryMember[], undefined> {
  for (let after = 0; ; ) {
    const page = await sqlOf(db)
      .selectFrom('story_members')
      .selectAll()
      .where('ordinal', '>', after)
      .where('story_id', 'in', (eb) =>
        eb.selectFrom('story_members').select('story_id').where('at', '>=', instant(since)),
      )
      .orderBy('ordinal')
      .limit(MEMBERS_PER_PAGE)
      .execute();
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.ordinal;
  }
}

/** Items first assigned after `since` (epoch milliseconds), newest first. */
export async function listNewMembers(
  db: Db,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<readonly string[]> {
  // The limit comes first, because no index orders assignments by time.
  const rows = await sqlOf(db)
    .selectFrom((eb) =>
      eb
        .selectFrom('story_members')
        .select(['item_id', 'ordinal'])
        .orderBy('ordinal', 'desc')
        .limit(limit)
        .as('m'),
    )
    .innerJoin('story_assignments as a', 'a.seq', 'm.ordinal')
    .select('m.item_id')
    .where('a.at', '>', instant(since))
    .orderBy('m.ordinal', 'desc')
    .execute();
  return rows.map(({ item_id }) => item_id);
}
