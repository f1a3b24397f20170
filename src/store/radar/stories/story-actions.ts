// Only this file writes `story_actions`: actions on whole stories, by an operator or by the
// engine's repair.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoryAction = Readonly<Selectable<Schema['story_actions']>>;

export async function insertStoryActions(tx: Db, actions: readonly StoryAction[]): Promise<void> {
  if (actions.length === 0) return;
  await sqlOf(tx)
    .insertInto('story_actions')
    .values(
      actions.map((action) => ({
        ...action,
        at: toTimestamp(action.at),
        detail: JSON.stringify(action.detail),
      })),
    )
    .execute();
}

/** One action, and the action that undid it. */
export async function findStoryAction(
  db: Db,
  id: string,
): Promise<(StoryAction & { readonly undone_by: string | null }) | null> {
  const query = sqlOf(db);
  const action = await query
    .selectFrom('story_actions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (action === undefined) return null;
  const undo = await query
    .selectFrom('story_actions')
    .select('id')
    .where('undoes_id', '=', id)
    .executeTakeFirst();
  return { ...action, undone_by: undo?.id ?? null };
}

/** Actions that moved items of a story, or whose details contain the story, newest first. */
export async function listActionsOfStory(
  db: Db,
  storyId: string,
): Promise<readonly (StoryAction & { readonly undone_by: string | null })[]> {
  return sqlOf(db)
    .selectFrom('story_actions as a')
    .leftJoin('story_actions as u', 'u.undoes_id', 'a.id')
    .selectAll('a')
    .select('u.id as undone_by')
    .where(({ or, eb, selectFrom }) =>
      or([
        eb(
          'a.id',
          'in',
          selectFrom('story_assignments')
            .select(sql<string>`action_id`.as('action_id'))
            .where('action_id', 'is not', null)
            .where(({ or, eb }) =>
              or([eb('story_id', '=', storyId), eb('from_story_id', '=', storyId)]),
            ),
        ),
        sql<boolean>`a.detail -> 'stories' ? ${storyId}`,
      ]),
    )
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .execute();
}
