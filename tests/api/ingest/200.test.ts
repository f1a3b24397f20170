// A valid batch is ingested. The same batch again changes nothing.
import { expect, test } from 'vitest';
import { listSources } from '../../../src/radar/sources/list-sources.ts';
import { readPublicationHead } from '../../../src/store/radar/publication/publication-head.ts';
import { listItemsAwaitingEnrichment } from '../../../src/store/radar/sources/items.ts';
import { listLatestFetches } from '../../support/news.ts';
import { addPushSource, openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const app = await openTestApp();
const endpoint = await openPushEndpoint(app);

const item = (name: string, overrides: object = {}) => ({
  url: `https://halden.example/news/${name}`,
  title: `Halden Labs releases ${name}, a 70B open-weights language model with a 1M-token context`,
  summary: `Halden Labs today released ${name}, a language model with open weights.`,
  publishedAt: '2026-08-22T13:30:00+02:00',
  ...overrides,
});

const batchOf = (...items: object[]) => ({ source: 'agents', items });
const countItemsAwaitingEnrichment = async () =>
  (await listItemsAwaitingEnrichment(app.db, 'agents', { except: [], limit: 100 })).length;

test('a pushed item is stored, queued for enrichment and public afterwards', async () => {
  const response = await endpoint.push(batchOf(item('orrin-1'), item('orrin-2')));
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ created: 2, updated: 0, unchanged: 0 });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await countItemsAwaitingEnrichment()).toBe(2);
  expect(await endpoint.countWaitingJobs()).toEqual({ 'enrich-items': 1 });
  expect(await app.fetchAndEnrich('agents')).toEqual({
    kind: 'skipped',
    reason: 'pushed, not fetched',
  });
  const listedItems = app
    .listItems()
    .map((listed) => [listed.originalUrl, listed.publishedAt, listed.timelineAt]);
  const at = Date.parse('2026-08-22T11:30:00Z');
  expect(listedItems.sort()).toEqual([
    ['https://halden.example/news/orrin-1', at, app.clock.now()],
    ['https://halden.example/news/orrin-2', at, app.clock.now()],
  ]);
});

test('the same batch again is unchanged and publishes nothing', async () => {
  const headBefore = await readPublicationHead(app.world, app.db);
  const repeatedBatch = batchOf(item('orrin-2'), item('orrin-1'));
  expect((await endpoint.push(repeatedBatch)).body).toEqual({
    created: 0,
    updated: 0,
    unchanged: 2,
  });
  expect(await countItemsAwaitingEnrichment()).toBe(0);
  expect(await readPublicationHead(app.world, app.db)).toEqual(headBefore);
});

test('distinguishes a new, an edited and an unchanged item', async () => {
  const title = `${item('orrin-1').title}, at last`;
  const mixedBatch = batchOf(item('orrin-1', { title }), item('orrin-2'), item('orrin-3'));
  expect((await endpoint.push(mixedBatch)).body).toEqual({ created: 1, updated: 1, unchanged: 1 });
  await app.fetchAndEnrich('agents');
  expect(app.listItems()).toHaveLength(3);
  expect(app.listItems().map((listed) => listed.title)).toContain(title);
});

test('ten identical batches at once store one batch', async () => {
  const items = Array.from({ length: 50 }, (_, index) => item(`tessel-${index}`));
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => endpoint.push(batchOf(...items))),
  );
  const sumOf = (key: string) =>
    responses.reduce((total, { body }) => total + Number(body[key]), 0);
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect([sumOf('created'), sumOf('updated'), sumOf('unchanged')]).toEqual([50, 0, 450]);
  expect(await countItemsAwaitingEnrichment()).toBe(50);
});

test('treats absent fields as null, and removes control characters', async () => {
  const nothing = { summary: null, content: null, author: null, publishedAt: null, language: null };
  const oddBatch = batchOf({
    ...item('odd', nothing),
    title: ' Odd\u0000 \n title\u0007 of a thing ',
  });
  expect((await endpoint.push(oddBatch)).body).toEqual({ created: 1, updated: 0, unchanged: 0 });
  await app.fetchAndEnrich('agents');
  const listedItem = app.listItems().find((listed) => listed.originalUrl.endsWith('/odd'));
  expect(listedItem).toMatchObject({ title: 'Odd title of a thing', publishedAt: null });
});

test('keeps a short summary and a summary in several scripts', async () => {
  const shortItem = {
    title: 'Zorblax raises a Series A',
    summary: 'Zorblax raised 30 million dollars.',
  };
  const mixedScripts = {
    title: 'Quillon opens an office in Cairo',
    summary: 'Квиллон открыл офис. 奎隆开设办公室。شركة كويلون تفتح مكتبا.',
  };
  await endpoint.push(batchOf(item('short', shortItem), item('scripts', mixedScripts)));
  await app.fetchAndEnrich('agents');
  const summaryOf = (name: string) =>
    app.listItems().find((listed) => listed.originalUrl.endsWith(`/${name}`))?.summary;
  expect(summaryOf('short')).toBe(shortItem.summary);
  expect(summaryOf('scripts')).toBe(mixedScripts.summary);
});

test('records each accepted batch as a fetch of its source', async () => {
  const source = (await listSources(app.db)).find(({ id }) => id === 'agents');
  expect(source).toMatchObject({ lastSuccessAt: app.clock.now(), failures: 0 });
  const rows = await listLatestFetches(app.db, 'agents', 100);
  expect(rows).toHaveLength(15);
  const outcomes = rows.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(10);
});

test('stores the same item once for each source', async () => {
  const token = await addPushSource(app, 'others');
  const otherBatch = { source: 'others', items: [item('orrin-1')] };
  const response = await endpoint.push(otherBatch, { authorization: `bearer ${token}` });
  expect(response.body).toEqual({ created: 1, updated: 0, unchanged: 0 });
});
