// Only this file writes `stories`. A merged story keeps its row and refers to the surviving story.
// The chain is followed on reading, so each merge can be undone alone.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoredStory = Readonly<Selectable<Schema['stories']>>;

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;

export async function insertStories(tx: Db, stories: readonly StoredStory[]): Promise<void> {
  if (stories.length === 0) return;
  await sqlOf(tx)
    .insertInto('stories')
    .values(stories.map((story) => ({ ...story, founded_at: toTimestamp(story.founded_at) })))
    .execute();
}

export async function readStoriesById(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredStory>> {
  if (ids.length === 0) return new Map();
  const rows = await sqlOf(db)
    .selectFrom('stories')
    .selectAll()
    .where('id', '=', anyOf(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The current story of each of these ids: the story itself, or the end of its merge chain. Unknown
 * ids are absent.
 */
export async function readSurvivors(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; survivor: string }>`
    WITH RECURSIVE chain AS (
      SELECT id, id AS survivor, merged_into FROM stories WHERE id = ${anyOf(ids)}
      UNION
      SELECT chain.id, stories.id, stories.merged_into
      FROM chain JOIN stories ON stories.id = chain.merged_into
    )
    SELECT id, survivor FROM chain WHERE merged_into IS NULL`.execute(sqlOf(db));
  return new Map(rows.map(({ id, survivor }) => [id, survivor]));
}

/** These stories and all that were merged into them, directly or indirectly. */
export async function listChainsInto(db: Db, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE chain AS (
      SELECT id FROM stories WHERE id = ${anyOf(ids)}
      UNION
      SELECT stories.id FROM chain JOIN stories ON stories.merged_into = chain.id
    )
    SELECT id FROM chain ORDER BY id`.execute(sqlOf(db));
  return rows.map(({ id }) => id);
}

/** Sets the target of a merge; null undoes the merge. */
export async function setMergedInto(tx: Db, id: string, into: string | null): Promise<void> {
  await sqlOf(tx).updateTable('stories').set({ merged_into: into }).where('id', '=', id).execute();
}

export async function setStoryClosed(tx: Db, id: string, isClosed: boolean): Promise<void> {
  await sqlOf(tx)
    .updateTable('stories')
    .set({ is_closed: isClosed })
    .where('id', '=', id)
    .execute();
}

/** Increments the version, so that an edit based on an earlier version is refused. */
export async function raiseStoryVersions(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sqlOf(tx)
    .updateTable('stories')
    .set({ version: sql<number>`version + 1` })
    .where('id', '=', anyOf(ids))
    .execute();
}
