// Stores an operator's title for a story and its placement in the ranking, and publishes the
// change immediately.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { listStoryDigests } from '../../store/radar/stories/story-digests.ts';
import {
  endOtherLeads,
  readEditsOfStories,
  readPlacedStories,
  type StoryEdit,
  type StoryPlacement,
  saveStoryEdit,
} from '../../store/radar/stories/story-edits.ts';
import { listStoryReports } from '../../store/radar/stories/story-reports.ts';
import type { Digest } from './digest/digest.ts';
import { publishStories } from './publish-stories.ts';

export type { StoryEdit, StoryPlacement };

export const STORY_TITLE_MAX = 300;

export async function findStoryEdit(db: Db, storyId: string): Promise<StoryEdit> {
  const edit = (await readEditsOfStories(db, [storyId])).get(storyId);
  return edit ?? { storyId, title: null, placement: null, version: 0 };
}

/** Operators' placements by story id. */
export const readPlacements = (db: Db): Promise<ReadonlyMap<string, StoryPlacement>> =>
  readPlacedStories(db);

/** The generated title; null: the story has no digest yet. */
export async function readDigestTitle(db: Db, storyId: string): Promise<string | null> {
  const [row] = await listStoryDigests(db, [storyId]);
  return row === undefined ? null : (row.digest as Digest).title;
}

export type EditStoryResult =
  | { readonly kind: 'saved'; readonly seq: number }
  /** Another operator saved an edit after `version` was read. */
  | { readonly kind: 'conflict' };

export async function editStory(world: World, db: Db, edit: StoryEdit): Promise<EditStoryResult> {
  return inTransaction(db, async (tx) => {
    if (!(await saveStoryEdit(tx, edit, world.clock.now()))) return { kind: 'conflict' };
    const otherStories = edit.placement === 'lead' ? await endOtherLeads(tx, edit.storyId) : [];
    const storyIds = [edit.storyId, ...otherStories];
    // Reports show the title of the story, so their documents are updated too.
    const itemIds = (await listStoryReports(tx, [edit.storyId])).map(({ id }) => id);
    return { kind: 'saved', seq: await publishStories(world, tx, { itemIds, storyIds }) };
  });
}
