// Only this file writes `story_edits`: the title and the placement that an operator gave a story.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

type EditRow = Readonly<Selectable<Schema['story_edits']>>;

export type StoryPlacement = NonNullable<EditRow['placement']>;

export type StoryEdit = {
  readonly storyId: string;
  /** Null keeps the title of the digest. */
  readonly title: string | null;
  /** Null keeps the order of the ranking. */
  readonly placement: StoryPlacement | null;
  /** 0 before the first edit. */
  readonly version: number;
};

/** By story; stories without an edit are absent. */
export async function readEditsOfStories(
  db: Db,
  storyIds: readonly string[],
): Promise<ReadonlyMap<string, StoryEdit>> {
  if (storyIds.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('story_edits')
    .selectAll()
    .where('story_id', '=', sql<string>`any(${[...storyIds]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.story_id, editOf(row)]));
}

/** Operators' titles of the stories of these items, by item. */
export async function readPinnedTitles(
  db: Db,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sqlOf(db)
    .selectFrom('story_members as m')
    .innerJoin('story_edits as e', 'e.story_id', 'm.story_id')
    .select(['m.item_id', 'e.title'])
    .where('m.item_id', '=', sql<string>`any(${[...itemIds]}::text[])`)
    .execute();
  return new Map(rows.flatMap(({ item_id, title }) => (title === null ? [] : [[item_id, title]])));
}

/** Stories with a placement. */
export async function readPlacedStories(db: Db): Promise<ReadonlyMap<string, StoryPlacement>> {
  const rows = await sqlOf(db)
    .selectFrom('story_edits')
    .select(['story_id', 'placement'])
    .where('placement', 'is not', null)
    .execute();
  return new Map(
    rows.flatMap(({ story_id, placement }) => (placement === null ? [] : [[story_id, placement]])),
  );
}

/** Saves an edit that is based on `edit.version`; false: another edit was saved since. */
export async function saveStoryEdit(tx: Db, edit: StoryEdit, at: number): Promise<boolean> {
  const { storyId, title, placement, version } = edit;
  const values = { title, placement, version: version + 1, edited_at: toTimestamp(at) };
  const saved = await sqlOf(tx)
    .insertInto('story_edits')
    .values({ ...values, story_id: storyId })
    .onConflict((conflict) =>
      conflict.column('story_id').doUpdateSet(values).where('story_edits.version', '=', version),
    )
    .returning('version')
    .executeTakeFirst();
  return saved?.version === version + 1;
}

/** Removes the lead placement of every other story, because only one story leads. */
export async function endOtherLeads(tx: Db, storyId: string): Promise<readonly string[]> {
  const rows = await sqlOf(tx)
    .updateTable('story_edits')
    .set(({ eb }) => ({ placement: null, version: eb('version', '+', 1) }))
    .where('placement', '=', 'lead')
    .where('story_id', '<>', storyId)
    .returning('story_id')
    .execute();
  return rows.map(({ story_id }) => story_id);
}

const editOf = ({ story_id, title, placement, version }: EditRow): StoryEdit => ({
  storyId: story_id,
  title,
  placement,
  version,
});
