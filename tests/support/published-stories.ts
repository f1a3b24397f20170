// Publishes stories by the application's own rules, but a test assigns them instead of the engine.
// Each source, report, merge and link has its own transaction.
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { publishStories } from '../../src/radar/publication/publish-stories.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { lockPublication } from '../../src/store/radar/publication/publication-head.ts';
import { insertGroups, joinGroups } from '../../src/store/radar/sources/duplicate-groups.ts';
import { saveEnrichments } from '../../src/store/radar/sources/item-enrichments.ts';
import { insertItem } from '../../src/store/radar/sources/items.ts';
import {
  insertStories,
  listChainsInto,
  readStoriesById,
  readSurvivors,
  setMergedInto,
} from '../../src/store/radar/stories/stories.ts';
import { replaceLinks, type StoredStoryLink } from '../../src/store/radar/stories/story-links.ts';
import {
  listMembersOfStories,
  putMembers,
  readMembersByItem,
} from '../../src/store/radar/stories/story-members.ts';

export type TestSource = {
  readonly id: string;
  readonly name?: string;
  readonly owner?: string;
  readonly tier?: 'T1' | 'T1_5' | 'T2';
  readonly participation?: 'editorial' | 'signal' | 'isolated';
};

export type TestStoryReport = {
  readonly source: string;
  readonly title: string;
  readonly summary?: string | null;
  readonly text?: string;
  /** Time of publication and discovery; the clock's time when absent. */
  readonly at?: number;
  readonly language?: string;
  /** Id of the report's story; absent for a report outside of any story. */
  readonly story?: string;
};

export type StoryPublisher = {
  addSource(source: TestSource): Promise<void>;
  /**
   * Publishes a report and adds it to its story, which the first report creates; returns its id.
   */
  publish(report: TestStoryReport): Promise<string>;
  /** Moves an item into a story. */
  move(itemId: string, story: string): Promise<void>;
  merge(story: string, into: string): Promise<void>;
  /** Undoes a merge, and returns these items to the story. */
  unmerge(story: string, itemIds: readonly string[]): Promise<void>;
  /** Sets the links that start at this story. */
  link(story: string, links: readonly Omit<StoredStoryLink, 'story_id'>[]): Promise<void>;
};

export function openStoryPublisher(world: World, db: Db): StoryPublisher {
  let memberCount = 0;
  const putItems = async (tx: Db, itemIds: readonly string[], story: string) => {
    const now = world.clock.now();
    if (!(await readStoriesById(tx, [story])).has(story)) {
      const newStory = {
        id: story,
        founded_at: now,
        merged_into: null,
        is_closed: false,
        version: 1,
      };
      await insertStories(tx, [newStory]);
    }
    const memberships = await readMembersByItem(tx, itemIds);
    const members = itemIds.map((item_id) => {
      memberCount += 1;
      const { at, ordinal } = memberships.get(item_id) ?? { at: now, ordinal: memberCount };
      return { item_id, story_id: story, at, ordinal };
    });
    await putMembers(tx, members);
    return [...memberships.values()].map((member) => member.story_id);
  };
  const changeStories = (
    work: (tx: Db) => Promise<{ itemIds: readonly string[]; storyIds: string[] }>,
  ) =>
    inTransaction(db, async (tx) => {
      await lockPublication(world, tx);
      const { itemIds, storyIds } = await work(tx);
      await publishStories(world, tx, { itemIds, storyIds: await listChainsInto(tx, storyIds) });
    });
  return {
    addSource: async ({
      id,
      name = id,
      owner = name,
      tier = 'T2',
      participation = 'editorial',
    }) => {
      const commonFields = { kind: 'push', language: 'en', intervalMinutes: 30, settings: {} };
      await addSource(world, db, { ...commonFields, id, name, owner, tier, participation });
    },
    publish: async (report) => {
      const id = await publish(world, db, report);
      const { story } = report;
      if (story !== undefined) {
        await changeStories(async (tx) => {
          await putItems(tx, [id], story);
          return { itemIds: [id], storyIds: [story] };
        });
      }
      return id;
    },
    move: (itemId, story) =>
      changeStories(async (tx) => {
        const previousStories = await putItems(tx, [itemId], story);
        return { itemIds: [itemId], storyIds: [...previousStories, story] };
      }),
    merge: (story, into) =>
      changeStories(async (tx) => {
        const itemIds = (await listMembersOfStories(tx, [story])).map((member) => member.item_id);
        await putItems(tx, itemIds, into);
        await setMergedInto(tx, story, into);
        return { itemIds, storyIds: [story, into] };
      }),
    unmerge: (story, itemIds) =>
      changeStories(async (tx) => {
        const mergedStories = await listChainsInto(tx, [story]);
        const survivors = await readSurvivors(tx, [story]);
        await setMergedInto(tx, story, null);
        const previousStories = await putItems(tx, itemIds, story);
        return { itemIds, storyIds: [...mergedStories, ...survivors.values(), ...previousStories] };
      }),
    link: (story, links) =>
      changeStories(async (tx) => {
        await replaceLinks(
          tx,
          [story],
          links.map((link) => ({ ...link, story_id: story })),
        );
        return { itemIds: [], storyIds: [story] };
      }),
  };
}

function publish(world: World, db: Db, report: TestStoryReport): Promise<string> {
  return inTransaction(db, async (tx) => {
    const id = world.ids.next();
    const at = report.at ?? world.clock.now();
    await lockPublication(world, tx);
    await insertItem(tx, itemOf(id, at, report));
    await insertGroups(tx, [{ id, first_appeared_at: at, representative_id: null }]);
    await joinGroups(tx, new Map([[id, id]]));
    await saveEnrichments(tx, [enrichmentOf(id, at, report)]);
    await publishGroups(world, tx, [id]);
    return id;
  });
}

function itemOf(id: string, at: number, { source, title, text = '', language }: TestStoryReport) {
  const url = `https://${source}.example/${id}`;
  return {
    id,
    source_id: source,
    entry_key: id,
    url,
    canonical_url: url,
    title,
    summary: '',
    content: text,
    article: null,
    author: null,
    language: language ?? 'en',
    published_at: at,
    discovered_at: at,
    updated_at: at,
    content_hash: id,
    revision: 1,
    is_backfill: false,
    awaits_desk_since: null,
  };
}

function enrichmentOf(id: string, at: number, { title, summary, language }: TestStoryReport) {
  return {
    item_id: id,
    desk_version: 'test',
    judged_at: at,
    title,
    original_title: null,
    summary: summary ?? null,
    category: 'industry',
    score: 80,
    is_worthy: true,
    reason: 'A reason',
    summary_by: 'rules' as const,
    language: language ?? 'en',
  };
}
