// Opens stories on a test's database: items as enrichment leaves them, a story service, and the
// resulting stored and public state.
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import type { World } from '../../src/kernel/world.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import type { StoryService } from '../../src/radar/stories/sync/story-service.ts';
import { openStoryService } from '../../src/radar/stories/sync/story-service.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { lockPublication } from '../../src/store/radar/publication/publication-head.ts';
import { insertGroups, joinGroups } from '../../src/store/radar/sources/duplicate-groups.ts';
import { saveEnrichments } from '../../src/store/radar/sources/item-enrichments.ts';
import { insertItem } from '../../src/store/radar/sources/items.ts';
import { queueStoryAssignments } from '../../src/store/radar/stories/story-queue.ts';
import { atEnd } from '../support/at-end.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { type TestWorld, testWorld } from '../support/test-world.ts';

export type TestReport = {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  /** Epoch milliseconds; now when absent. */
  readonly at?: number;
  /** The item of which this one is a copy. */
  readonly copyOf?: string;
  readonly source?: 'a' | 'b' | 'c';
};

export type TestStories = TestWorld & {
  readonly db: Db;
  readonly service: StoryService;
  push(...items: readonly TestReport[]): Promise<void>;
  assign(service?: StoryService): Promise<number>;
  /** The story service of another worker, with an empty engine. */
  openService(): StoryService;
  /** Stories as lists of item ids, all sorted. */
  stories(): Promise<readonly (readonly string[])[]>;
  storyOf(itemId: string): Promise<string>;
};

/** Call at the top of a test file. */
export async function openTestStories(seed = 1): Promise<TestStories> {
  const test = testWorld(seed);
  const { world } = test;
  const { db } = await openTestDatabase();
  for (const id of ['a', 'b', 'c']) await addPushSource(world, db, id);
  const services: StoryService[] = [];
  atEnd(async () => {
    for (const service of services) await service.close();
  });
  const openService = () => {
    const service = openStoryService(world, db, { editorial: 'editorial' });
    services.push(service);
    return service;
  };
  const service = openService();
  return {
    ...test,
    db,
    service,
    openService,
    push: async (...items) => {
      for (const item of items) await storeItem(world, db, item);
    },
    assign: (other = service) => other.assign(new AbortController().signal),
    stories: () => storiesOf(db),
    storyOf: (itemId) => storyOf(db, itemId),
  };
}

export async function addPushSource(world: World, db: Db, id: string): Promise<void> {
  const commonFields = { owner: `Owner ${id}`, language: 'en', intervalMinutes: 30, tier: 'T1' };
  const kind = { kind: 'push', participation: 'editorial', settings: {} };
  await addSource(world, db, { id, name: `Source ${id}`, ...commonFields, ...kind });
}

/** An item as enrichment leaves it: enriched, grouped, published, and waiting for a story. */
export async function storeItem(world: World, db: Db, report: TestReport): Promise<void> {
  const { id, title, text = '', at = world.clock.now(), copyOf, source = 'a' } = report;
  await inTransaction(db, async (tx) => {
    await lockPublication(world, tx);
    const url = `https://news.example/${id}`;
    const times = { published_at: at, discovered_at: at, updated_at: at };
    await insertItem(tx, {
      id,
      source_id: source,
      entry_key: id,
      url,
      canonical_url: url,
      title,
      content: text,
      summary: '',
      article: null,
      author: null,
      language: 'en',
      ...times,
      content_hash: id,
      revision: 1,
      is_backfill: false,
      awaits_desk_since: null,
    });
    const group = copyOf ?? id;
    if (copyOf === undefined) {
      await insertGroups(tx, [{ id, first_appeared_at: at, representative_id: null }]);
    }
    await joinGroups(tx, new Map([[id, group]]));
    await saveEnrichments(tx, [
      {
        item_id: id,
        desk_version: 'test',
        judged_at: at,
        title,
        original_title: null,
        summary: null,
        category: 'industry',
        score: 50,
        is_worthy: true,
        reason: 'A reason',
        summary_by: 'rules',
        language: 'en',
      },
    ]);
    await queueStoryAssignments(tx, [id]);
    await publishGroups(world, tx, [group]);
  });
}

export async function storiesOf(db: Db): Promise<readonly (readonly string[])[]> {
  const rows = await sqlOf(db).selectFrom('story_members').selectAll().orderBy('item_id').execute();
  const stories = Map.groupBy(rows, (row) => row.story_id);
  return [...stories.values()].map((all) => all.map(({ item_id }) => item_id)).sort();
}

async function storyOf(db: Db, itemId: string): Promise<string> {
  const row = await sqlOf(db)
    .selectFrom('story_members')
    .select('story_id')
    .where('item_id', '=', itemId)
    .executeTakeFirstOrThrow();
  return row.story_id;
}

/** Expects the invariants of the tables, which hold after any crash of a writer. */
export async function expectStoriesConsistent(db: Db): Promise<void> {
  const query = sqlOf(db);
  const log = await query.selectFrom('story_assignments').selectAll().orderBy('seq').execute();
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const replayed = new Map<string, string>();
  for (const line of log) {
    expect(line.from_story_id).toBe(replayed.get(line.item_id) ?? null);
    replayed.set(line.item_id, line.story_id);
  }
  const members = await query.selectFrom('story_members').selectAll().execute();
  expect(new Map(members.map((row) => [row.item_id, row.story_id]))).toEqual(
    new Map([...replayed].sort()),
  );
  const { rows } = await sql<{ problem: string }>`
    SELECT 'not in a story: ' || j.item_id AS problem FROM judgements j
      LEFT JOIN story_members m ON m.item_id = j.item_id WHERE m.item_id IS NULL
    UNION ALL SELECT 'waits: ' || item_id FROM story_queue
    UNION ALL SELECT 'in a story that is gone: ' || m.item_id FROM story_members m
      JOIN stories s ON s.id = m.story_id WHERE s.merged_into IS NOT NULL
    UNION ALL SELECT 'empty: ' || s.id FROM stories s WHERE s.merged_into IS NULL
      AND NOT EXISTS (SELECT FROM story_members m WHERE m.story_id = s.id)
    UNION ALL SELECT 'duplicates in two stories: ' || g.group_id FROM reading_group_members g
      JOIN story_members m ON m.item_id = g.item_id
      GROUP BY g.group_id HAVING count(DISTINCT m.story_id) > 1
    UNION ALL SELECT 'head: ' || seq FROM story_head
      WHERE seq <> (SELECT count(*) FROM story_assignments)
    UNION ALL SELECT 'has another story: ' || p.id FROM public_items p
      JOIN story_members m ON m.item_id = p.id WHERE p.story_id IS DISTINCT FROM m.story_id
  `.execute(query);
  expect(rows).toEqual([]);
}

/** A report of the launch of `name`; each `n` gives another text. */
export function launchOf(
  name: string,
  n: number,
): { readonly title: string; readonly text: string } {
  const titles = [
    `Halden Labs releases ${name}, an open-weights language model`,
    `${name} is out: Halden Labs opens the weights of its language model`,
    `Halden Labs launches open model ${name} with a million-token context`,
    `Open-weights ${name} from Halden Labs reaches developers`,
  ];
  return {
    title: titles[n % titles.length] ?? name,
    text:
      `Halden Labs today released ${name}, a language model with open weights. It scores 71.2 ` +
      `percent on the public reasoning benchmark and costs $2 per million tokens. Part ${n}.`,
  };
}

export const hoursAgo = (world: World, hours: number) => world.clock.now() - hours * HOUR_MS;
