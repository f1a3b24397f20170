// Reads all data of one story for an operator: its reports with the reason of each assignment, its
// history, pins and neighbours.
import type { Db } from '../../../kernel/ports/db.ts';
import { inSnapshot } from '../../../store/platform/db.ts';
import {
  listChainsInto,
  readStoriesById,
  readSurvivors,
} from '../../../store/radar/stories/stories.ts';
import { listActionsOfStory } from '../../../store/radar/stories/story-actions.ts';
import {
  listAssignmentsOfStory,
  readLastAssignments,
} from '../../../store/radar/stories/story-assignments.ts';
import {
  readAssignedDuplicates,
  readMemberTitles,
} from '../../../store/radar/stories/story-items.ts';
import { listStoryLinks } from '../../../store/radar/stories/story-links.ts';
import { readStoryTitles } from '../../../store/radar/stories/story-list.ts';
import { listMembersOfStories } from '../../../store/radar/stories/story-members.ts';
import { listPinsOfItems } from '../../../store/radar/stories/story-pins.ts';
import { formatAssignment, formatReason } from './format-assignment.ts';

/** Instants are epoch milliseconds. */
export type StoryRecord = Exclude<Awaited<ReturnType<typeof readStoryRecord>>, null>;

/** Null: no story has ever had this id. */
export async function readStoryRecord(db: Db, storyId: string, language: 'en' | 'zh-CN' = 'en') {
  return inSnapshot(db, async (tx) => {
    const story = (await readStoriesById(tx, [storyId])).get(storyId);
    if (story === undefined) return null;
    const survivor = (await readSurvivors(tx, [storyId])).get(storyId) ?? storyId;
    const members = await listMembersOfStories(tx, [storyId]);
    const log = await listAssignmentsOfStory(tx, storyId);
    const itemIds = members.map(({ item_id }) => item_id);
    const titles = await readMemberTitles(tx, [
      ...new Set([...itemIds, ...log.map(({ item_id }) => item_id)]),
    ]);
    const [reasons, duplicates] = [
      await readLastAssignments(tx, itemIds),
      await readAssignedDuplicates(tx, itemIds),
    ];
    const ownTitle = (await readStoryTitles(tx, [storyId])).get(storyId);
    return {
      id: storyId,
      /** The title that readers see. */
      title: ownTitle ?? storyId,
      version: story.version,
      foundedAt: story.founded_at,
      /** No item may join: the story is a roundup, has no words, or must stand alone. */
      isClosed: story.is_closed,
      mergedInto: survivor === storyId ? null : survivor,
      /** Stories that were merged into this story, directly or indirectly. */
      tookIn: (await listChainsInto(tx, [storyId])).filter((id) => id !== storyId),
      members: members.map(({ item_id, at }) => {
        const title = titles.get(item_id);
        const last = reasons.get(item_id);
        const first = duplicates.get(item_id)?.[0] ?? item_id;
        return {
          itemId: item_id,
          title: title?.title ?? '',
          sourceName: title?.source_name ?? '',
          at,
          isWithdrawn: title?.is_withdrawn ?? false,
          /** The first report of its duplicate group; null: this one is the first. */
          copyOf: first === item_id ? null : first,
          why: last === undefined ? '' : formatReason(last, language),
        };
      }),
      log: log.map((assignment) => {
        const { seq, at, item_id: itemId, action_id: actionId } = assignment;
        const title = titles.get(itemId)?.title ?? '';
        return {
          seq,
          at,
          itemId,
          actionId,
          text: formatAssignment(assignment, storyId, title, language),
        };
      }),
      actions: await listActionsOfStory(tx, storyId),
      pins: await listPinsOfItems(tx, itemIds),
      links: (await listStoryLinks(tx, [storyId])).map(({ other_id, relation, score }) => {
        return { storyId: other_id, relation, score };
      }),
    };
  });
}
