// After any events of items and stories, the documents of each node equal a projection of the whole
// database.
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { RANKING_KEY } from '../../src/radar/publication/documents/bodies.ts';
import { projectors } from '../../src/radar/publication/documents/projectors.ts';
import { newestDocuments } from '../../src/radar/publication/read-model/documents.ts';
import { itemOf } from '../../src/radar/publication/read-model/read-model.ts';
import { computeRanking } from '../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openStoryPublisher, type StoryPublisher } from '../support/published-stories.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

const seed = proofSeed();
const { world, clock } = testWorld(seed);
const { db } = await openTestDatabase();
const publication = await openTestPublication(world, db);
const rankingRules = await readRankingRules('editorial');
const random = seededRandom(seed);
const pickOne = <T>(values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)] as T;

const sources = ['orrery', 'ledger', 'wire', 'forum'] as const;
const words = ['Orrery Labs', 'a model', 'raised $5 million', 'raised $7 million', 'an office'];

type PublishedState = {
  readonly items: Map<string, { story: string; isWithdrawn: boolean }>;
  /** Merged stories with their former items. */
  readonly merged: Map<string, readonly string[]>;
  stories: string[];
};

const state: PublishedState = { items: new Map(), merged: new Map(), stories: [] };

async function applyRandomEvent(publisher: StoryPublisher): Promise<void> {
  const chance = random.next();
  const activeStories = state.stories.filter((id) => !state.merged.has(id));
  if (state.items.size < 4 || chance < 0.3) return publishReport(publisher, activeStories);
  const [id, item] = pickOne([...state.items]);
  if (chance < 0.5) {
    const action = item.isWithdrawn ? 'restore' : 'withdraw';
    await changeItem(world, db, id, { action, actor: 'test', note: null });
    item.isWithdrawn = !item.isWithdrawn;
  } else if (chance < 0.6) {
    const fields = {
      title: random.next() < 0.3 ? null : `${pickOne(words)} and ${pickOne(words)}`,
    };
    await changeItem(world, db, id, { action: 'correct', fields, actor: 'test', note: null });
  } else if (chance < 0.7) {
    item.story = pickOne(activeStories);
    await publisher.move(id, item.story);
  } else if (chance < 0.78) await mergeStories(publisher, activeStories);
  else if (chance < 0.84) await undoMerge(publisher);
  else if (chance < 0.92) {
    const otherIds = activeStories.filter(() => random.next() < 0.3);
    const sourceStory = pickOne(activeStories);
    const links = otherIds.filter((other) => other !== sourceStory);
    await publisher.link(
      sourceStory,
      links.map((other_id) => {
        const relation = pickOne(['storyline', 'related'] as const);
        return { other_id, relation, score: random.next() };
      }),
    );
  } else await computeRanking(world, db, rankingRules);
}

async function publishReport(
  publisher: StoryPublisher,
  activeStories: readonly string[],
): Promise<void> {
  const isNewStory = activeStories.length === 0 || random.next() < 0.3;
  const story = isNewStory ? `story-${state.stories.length}` : pickOne(activeStories);
  if (isNewStory) state.stories = [...state.stories, story];
  const title = `${pickOne(words)} and ${pickOne(words)}`;
  const text = `The company has ${pickOne(words)}. It said so of ${pickOne(words)} today.`;
  const id = await publisher.publish({ source: pickOne(sources), story, title, text });
  state.items.set(id, { story, isWithdrawn: false });
}

async function mergeStories(
  publisher: StoryPublisher,
  activeStories: readonly string[],
): Promise<void> {
  const [story, into] = [pickOne(activeStories), pickOne(activeStories)];
  if (story === into) return;
  const movedItems = [...state.items].filter(([, item]) => item.story === story);
  state.merged.set(
    story,
    movedItems.map(([id]) => id),
  );
  for (const [, item] of movedItems) item.story = into;
  await publisher.merge(story, into);
}

async function undoMerge(publisher: StoryPublisher): Promise<void> {
  if (state.merged.size === 0) return;
  const [story, ids] = pickOne([...state.merged]);
  state.merged.delete(story);
  for (const id of ids) {
    const item = state.items.get(id);
    if (item !== undefined) item.story = story;
  }
  await publisher.unmerge(story, ids);
}

/** Projects everything again in a transaction that is rolled back. */
async function freshProjection(): Promise<ReadonlyMap<string, unknown>> {
  const rollback = new Error('undone');
  const documentsByKey = new Map<string, unknown>();
  await inTransaction(db, async (tx) => {
    const stories = await projectors.story(world, tx, state.stories);
    const ranking = await projectors.ranking(world, tx, [RANKING_KEY]);
    for (const [key, { body, sortAt }] of [...stories, ...ranking]) {
      documentsByKey.set(key, { body: JSON.parse(JSON.stringify(body)), sortAt });
    }
    throw rollback;
  }).catch((error) => {
    if (error !== rollback) throw error;
  });
  return documentsByKey;
}

test(`documents equal a fresh projection after any change (seed ${seed})`, async () => {
  const publisher = openStoryPublisher(world, db);
  await publisher.addSource({ id: 'orrery', name: 'Orrery Labs', tier: 'T1' });
  await publisher.addSource({ id: 'ledger', name: 'The Ledger', tier: 'T1_5' });
  await publisher.addSource({ id: 'wire', name: 'The Wire' });
  await publisher.addSource({ id: 'forum', name: 'The Forum', participation: 'signal' });
  const events = proofSize(150, 3_000);
  for (let event = 0; event < events; event += 1) {
    clock.advance(60_000 + Math.floor(random.next() * 240_000));
    await applyRandomEvent(publisher);
    if (event % 5 !== 4) continue;
    await publication.catchUp();
    const model = publication.readModel();
    const documents = (['story', 'ranking'] as const).flatMap((kind) =>
      newestDocuments(model, kind, 10_000).map(({ key, body, sortAt }) => [key, { body, sortAt }]),
    );
    const projection = await freshProjection();
    expect(Object.fromEntries(documents), `after ${event + 1} events`).toEqual(
      Object.fromEntries(projection),
    );
    const text = JSON.stringify(documents);
    for (const [id, { story, isWithdrawn }] of state.items) {
      const shownItem = itemOf(model, id);
      expect(shownItem === null ? null : shownItem.storyId).toBe(isWithdrawn ? null : story);
      if (isWithdrawn) expect(text).not.toContain(id);
    }
  }
  // The stored documents with their citations equal those of a fresh start.
  const restartedPublication = await openTestPublication(world, db);
  const bodiesByKey = (node: typeof publication) =>
    newestDocuments(node.readModel(), 'story', 10_000).map(({ key, body }) => [key, body]);
  expect(bodiesByKey(restartedPublication)).toEqual(bodiesByKey(publication));
  const { count } = await sqlOf(db)
    .selectFrom('public_documents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBeGreaterThan(5);
}, 1_800_000);
