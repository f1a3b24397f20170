// Every page of a radar without items explains why it is empty, in both languages.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { computeRanking } from '../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { sendRequest } from '../support/http-request.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const publication = await openTestPublication(world, db);
const origin = await openTestServer(world, publication);
const chinese = await openTestServer(world, publication, undefined, { language: 'zh-CN' });

test.each([
  ['/', 'This radar has no source yet', '本站还没有来源'],
  ['/', 'href="/admin/setup"', 'href="/admin/setup"'],
  ['/latest?window=24h', 'Show seven days', '显示 7 天'],
  ['/all', 'This radar has no source yet', '本站还没有来源'],
  ['/disagreements', 'No reports of the last seven days disagree', '最近七天没有说法不一的报道'],
  ['/sources', 'href="/admin/setup"', 'href="/admin/setup"'],
  ['/hot', 'No topic qualifies at the moment', '目前没有达到条件的事件'],
  ['/daily', 'the first one appears at 08:00', '第一期将在北京时间 08:00 发布'],
  ['/weekly', 'the first one appears on Monday', '第一期将在北京时间周一'],
  ['/monthly', 'the first one appears on the 1st', '第一期将在北京时间 1 日'],
  ['/search?q=nothing', 'Try fewer words', '可以减少关键词'],
  ['/search?q=x', 'Type 2 to 200 characters', '请输入 2 到 200 个字符'],
  ['/about', 'href="/admin/setup"', 'href="/admin/setup"'],
])('%s explains why it is empty', async (path, english, chineseText) => {
  for (const [site, expectedText] of [
    [origin, english],
    [chinese, chineseText],
  ] as const) {
    const { status, text } = await sendRequest(site, { path });
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain(expectedText);
  }
});

test('a radar without selected items links to the list of all items', async () => {
  const publisher = openStoryPublisher(world, db);
  await publisher.addSource({ id: 'talk', name: 'Talk', participation: 'signal' });
  await publisher.publish({ source: 'talk', title: 'What people say' });
  clock.set(clock.now() + HOUR_MS);
  await publication.catchUp();
  for (const path of ['/', '/latest']) {
    const { text } = await sendRequest(origin, { path });
    expect(text).toContain('No item is selected yet.');
    expect(text).toContain('<a class="link" href="/all">Show all items →</a>');
  }
});

test('the front page of a radar without a ranking counts the fetched sources', async () => {
  const definition = {
    id: 'late',
    name: 'Late News',
    owner: 'Late News',
    kind: 'feed',
    tier: 'T2',
    language: 'en',
    participation: 'editorial',
    intervalMinutes: 30,
    settings: { url: 'https://late.example/feed' },
  };
  expect(await addSource(world, db, definition)).toMatchObject({ kind: 'added' });
  clock.set(clock.now() + HOUR_MS);
  const { text } = await sendRequest(origin, { path: '/' });
  expect(text).toContain('First import: 0 of 1 sources fetched. The first ranking follows.');
});

test('one item of a source is counted in the singular', async () => {
  const { text } = await sendRequest(origin, { path: '/sources' });
  expect(text).toContain('<span>1 item in 14 days</span>');
});

test('a radar whose items are older than seven days links to the search', async () => {
  clock.set(clock.now() + 9 * DAY_MS);
  const read = async (site: string) => (await sendRequest(site, { path: '/all' })).text;
  expect(await read(origin)).toContain('Their first items appear within a few minutes.');
  await computeRanking(world, db, await readRankingRules('editorial'));
  await publication.catchUp();
  expect(await read(origin)).toContain('No item is from the last seven days.');
  expect(await read(origin)).toContain('<a class="link" href="/search">Search →</a>');
  expect(await read(chinese)).toContain('最近七天没有内容。');
});
