// All data of one story for an operator who may split it: its reports with the reason of each
// assignment, its history, pins and neighbours.
import type { Db } from '../../../kernel/ports/db.ts';
import { inSnapshot } from '../../../store/platform/db.ts';
import { chainsInto, storiesById, survivorsOf } from '../../../store/radar/stories/stories.ts';
import { actionsOfStory } from '../../../store/radar/stories/story-actions.ts';
import {
  assignmentsOfStory,
  lastAssignments,
} from '../../../store/radar/stories/story-assignments.ts';
import { memberTitles, newsOfItems } from '../../../store/radar/stories/story-items.ts';
import { linksOf } from '../../../store/radar/stories/story-links.ts';
import { storyTitles } from '../../../store/radar/stories/story-list.ts';
import { membersOfStories } from '../../../store/radar/stories/story-members.ts';
import { pinsOfItems } from '../../../store/radar/stories/story-pins.ts';
import { formatAssignment, formatReason } from './format-assignment.ts';

/** Instants are epoch milliseconds. */
export type StoryRecord = Exclude<Awaited<ReturnType<typeof storyRecord>>, null>;

/** Null: there has never been such a story. */
export async function storyRecord(db: Db, storyId: string, language: 'en' | 'zh-CN' = 'en') {
  return inSnapshot(db, async (tx) => {
    const story = (await storiesById(tx, [storyId])).get(storyId);
    if (story === undefined) return null;
    const survivor = (await survivorsOf(tx, [storyId])).get(storyId) ?? storyId;
    const members = await membersOfStories(tx, [storyId]);
    const log = await assignmentsOfStory(tx, storyId);
    const itemIds = members.map(({ item_id }) => item_id);
    const titles = await memberTitles(tx, [
      ...new Set([...itemIds, ...log.map(({ item_id }) => item_id)]),
    ]);
    const [reasons, news] = [await lastAssignments(tx, itemIds), await newsOfItems(tx, itemIds)];
    const ownTitle = (await storyTitles(tx, [storyId])).get(storyId);
    return {
      id: storyId,
      /** The title that readers see. */
      title: ownTitle ?? storyId,
      version: story.version,
      foundedAt: story.founded_at,
      /** Closed to new items: a roundup, a report without words, or one that stands alone. */
      isClosed: story.is_closed,
      mergedInto: survivor === storyId ? null : survivor,
      /** Stories that were merged into it, directly or indirectly. */
      tookIn: (await chainsInto(tx, [storyId])).filter((id) => id !== storyId),
      members: members.map(({ item_id, at }) => {
        const title = titles.get(item_id);
        const last = reasons.get(item_id);
        return {
          itemId: item_id,
          title: title?.title ?? '',
          sourceName: title?.source_name ?? '',
          at,
          isWithdrawn: title?.is_withdrawn ?? false,
          /** The first report of its duplicate group; null: this one is the first. */
          copyOf: copyOf(item_id, news),
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
      actions: await actionsOfStory(tx, storyId),
      pins: await pinsOfItems(tx, itemIds),
      links: (await linksOf(tx, [storyId])).map(({ other_id, relation, score }) => {
        return { storyId: other_id, relation, score };
      }),
    };
  });
}

function copyOf(itemId: string, news: ReadonlyMap<string, readonly string[]>): string | null {
  const first = news.get(itemId)?.[0] ?? itemId;
  return first === itemId ? null : first;
}
