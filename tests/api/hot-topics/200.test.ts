import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/kernel/time/durations.ts';
import { changeItem } from '../../../src/radar/publication/change-item.ts';
import { computeRanking, isRankingDue } from '../../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../../src/radar/ranking/ranking-rules.ts';
import { sqlOf } from '../../../src/store/platform/db.ts';
import { findNewestRanking } from '../../../src/store/radar/publication/rankings.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { openStoryRadar } from '../../support/story-radar.ts';

const radar = await openStoryRadar();
const { contract, publisher, clock, world, db, settle, origin } = radar;
const rankingRules = await readRankingRules('editorial');
const FIVE_MINUTES = 5 * 60_000;
const START = clock.now();
const page = (path: string) => ({
  html: `https://radar.example/${path}`,
  aihot: `https://radar.example/${path}`,
});
type Topic = { readonly rank: number; readonly id: string; readonly title: string } & {
  readonly links: { readonly story: string };
};
type Ranking = { readonly rankedAt: string; readonly items: readonly Topic[] };
const path = '/api/v1/hot-topics';
const ranking = async () => {
  await settle();
  const response = await contract.sendRequest({ path });
  expect(response.status).toBe(200);
  return json(response) as Ranking;
};
const titles = async () => (await ranking()).items.map(({ title }) => title);
const change = (id: string, action: 'withdraw' | 'restore') =>
  changeItem(world, db, id, { action, actor: 'test', note: null });

// Twelve stories of two owners each, with increasing heat; one story of a first party; one of a
// single newspaper.
const reports: string[][] = [];
for (let topicIndex = 0; topicIndex < 12; topicIndex += 1) {
  const at = START - (14 - topicIndex) * HOUR_MS;
  const commonFields = { story: `story-${topicIndex}`, title: `Matter number ${topicIndex}` };
  reports.push([
    await publisher.publish({ ...commonFields, source: 'ledger', at }),
    await publisher.publish({ ...commonFields, source: 'wire', at: at + 1 }),
  ]);
}
const firstPartyStory = {
  story: 'own',
  title: 'Orrery Labs opens an office',
  at: START - 40 * HOUR_MS,
};
await publisher.publish({ ...firstPartyStory, source: 'orrery' });
await publisher.publish({ story: 'lone', title: 'One paper alone', source: 'ledger', at: START });
await publisher.publish({ story: 'story-11', title: 'Talk of 11', source: 'forum', at: START });
await computeRanking(world, db, rankingRules);

test('lists the ten hottest topics by rank in the contract’s form', async () => {
  const { items, ...otherFields } = await ranking();
  expect(otherFields).toEqual({
    schemaVersion: 1,
    count: 10,
    rankedAt: new Date(START).toISOString(),
  });
  expect(items.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const [, wire = ''] = reports[11] ?? [];
  expect(items[0]).toEqual({
    rank: 1,
    id: wire,
    title: 'Matter number 11',
    source: { name: 'The Wire' },
    links: {
      ...page(`items/${wire}`),
      original: `https://wire.example/${wire}`,
      story: 'https://radar.example/stories/story-11',
    },
    sourceCount: 2,
    signalCount: 1,
    participantCount: 3,
    sourceNames: ['The Ledger', 'The Wire'],
    latestAt: new Date(START).toISOString(),
  });
  expect(await titles()).not.toContain('One paper alone');
});

test('the ETag does not depend on the time of computation', async () => {
  const { etag = '' } = (await sendRequest(origin, { path })).headers;
  clock.advance(FIVE_MINUTES);
  expect(await isRankingDue(world, db)).toBe(true);
  expect(await computeRanking(world, db, rankingRules)).toEqual({ kind: 'ranked', rows: 10 });
  expect(await isRankingDue(world, db)).toBe(false);
  expect(await computeRanking(world, db, rankingRules)).toEqual({ kind: 'current' });
  expect((await ranking()).rankedAt).toBe(new Date(START + FIVE_MINUTES).toISOString());
  const repeatedResponse = await contract.sendRequest({ path, headers: { 'if-none-match': etag } });
  expect(repeatedResponse.status).toBe(304);
});

test('a withdrawal removes a topic and moves lower ranks up until it is undone', async () => {
  const rankingBefore = await ranking();
  const [paper = '', wire = ''] = reports[9] ?? [];
  await change(paper, 'withdraw');
  const rankingAfter = await ranking();
  // One owner is not sufficient, so the topic disappears when the report of the second owner is
  // withdrawn.
  expect(rankingAfter.items.map(({ title }) => title)).toEqual(
    rankingBefore.items.map(({ title }) => title).filter((title) => title !== 'Matter number 9'),
  );
  expect(rankingAfter.items.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(rankingAfter.rankedAt).toBe(rankingBefore.rankedAt);
  expect(JSON.stringify(rankingAfter)).not.toContain(wire);
  await change(paper, 'restore');
  expect(await ranking()).toEqual(rankingBefore);
});

test('a merged story has one row, which links to its survivor', async () => {
  await publisher.merge('story-10', 'story-11');
  const { items } = await ranking();
  const links = items.map((item) => item.links.story.split('/').at(-1));
  expect(links).toHaveLength(9);
  expect(links[0]).toBe('story-11');
  expect(links).not.toContain('story-10');
});

test('a crash between computing and publishing changes nothing', async () => {
  const storedRanking = await findNewestRanking(db);
  const rankingBefore = await ranking();
  clock.advance(FIVE_MINUTES);
  await publisher.publish({ story: 'lone', title: 'Another paper too', source: 'wire' });
  const failingStatement = sql`CREATE FUNCTION fail_ranking() RETURNS trigger LANGUAGE plpgsql
    AS $$BEGIN RAISE EXCEPTION 'the process is gone'; END$$`;
  await failingStatement.execute(sqlOf(db));
  // The first statement fails before the ranking is published, and the second statement fails at
  // the end of the transaction.
  for (const trigger of [
    sql`CREATE TRIGGER fail_once BEFORE INSERT OR UPDATE ON public_documents
      FOR EACH ROW EXECUTE FUNCTION fail_ranking()`,
    sql`CREATE CONSTRAINT TRIGGER fail_once AFTER INSERT OR UPDATE ON public_documents
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_ranking()`,
  ]) {
    await trigger.execute(sqlOf(db));
    await expect(computeRanking(world, db, rankingRules)).rejects.toThrow('is gone');
    await sql`DROP TRIGGER fail_once ON public_documents`.execute(sqlOf(db));
    expect(await findNewestRanking(db)).toEqual(storedRanking);
    expect(await ranking()).toEqual(rankingBefore);
    expect(await isRankingDue(world, db)).toBe(true);
  }
  await computeRanking(world, db, rankingRules);
  expect(await titles()).toContain('Another paper too');
});

test('lists at most two topics of one storyline', async () => {
  clock.advance(FIVE_MINUTES);
  const link = (other_id: string) => ({ other_id, relation: 'storyline', score: 0.8 }) as const;
  await publisher.link('story-8', [link('story-7')]);
  await publisher.link('story-9', [link('story-8'), link('story-6')]);
  await computeRanking(world, db, rankingRules);
  const storylineTitles = ['6', '7', '8', '9'].map((topicIndex) => `Matter number ${topicIndex}`);
  const listedTitles = (await titles()).filter((title) => storylineTitles.includes(title));
  expect(listedTitles).toEqual(['Matter number 9', 'Matter number 8']);
});

test('a topic shows the report whose title the story has', async () => {
  clock.advance(FIVE_MINUTES);
  const at = clock.now() - HOUR_MS;
  await publisher.publish({
    story: 'plant',
    source: 'ledger',
    at,
    title: 'Reading the plans of Orrery Labs',
    text: 'I think the plans are bold. You should read them twice.',
  });
  const news = await publisher.publish({
    story: 'plant',
    source: 'wire',
    at: at + 60_000,
    title: 'Orrery Labs opens a plant in Varna with 120 employees',
    text: 'Orrery Labs opened a plant in Varna on Thursday, with 120 employees.',
  });
  await computeRanking(world, db, rankingRules);
  const topic = (await ranking()).items.find(({ links }) => links.story.endsWith('/plant'));
  const { story } = json(await sendRequest(origin, { path: '/api/v1/stories/plant' })) as {
    readonly story: { readonly title: string };
  };
  expect(topic).toMatchObject({ id: news, source: { name: 'The Wire' } });
  expect(story.title).toContain(topic?.title);
});

test('publishes no heat values', async () => {
  const topics = (await findNewestRanking(db))?.topics ?? [];
  expect(topics.length).toBeGreaterThan(5);
  const formats = [
    path,
    '/api/v1/items?mode=all',
    '/api/v1/stories/story-11',
    '/api/v1/selected/snapshot',
    '/openapi-v1.json',
    '/api/v1/agent/hot',
    '/metrics',
  ];
  for (const format of formats) {
    const { text, status } = await sendRequest(origin, { path: format });
    expect([format, status === 200 || format === '/metrics']).toEqual([format, true]);
    for (const { heat } of topics) expect(text).not.toContain(String(heat).slice(0, 8));
    expect(text).not.toMatch(/"[^"]*heat[^"]*"\s*:/i);
  }
});
