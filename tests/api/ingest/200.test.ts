// A valid batch is ingested, and the same batch again changes nothing.
import { expect, test } from 'vitest';
import { listSources } from '../../../src/radar/sources/list-sources.ts';
import { publicationHead } from '../../../src/store/radar/publication/publication-head.ts';
import { itemsAwaitingEnrichment } from '../../../src/store/radar/sources/items.ts';
import { attempts } from '../../support/news.ts';
import { addPushSource, openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const app = await openTestApp();
const endpoint = await openPushEndpoint(app);

const item = (name: string, more: object = {}) => ({
  url: `https://halden.example/news/${name}`,
  title: `Halden Labs releases ${name}, a 70B open-weights language model with a 1M-token context`,
  summary: `Halden Labs today released ${name}, a language model with open weights.`,
  publishedAt: '2026-08-22T13:30:00+02:00',
  ...more,
});

const batch = (...items: object[]) => ({ source: 'agents', items });
const storedItems = async () =>
  (await itemsAwaitingEnrichment(app.db, 'agents', { except: [], limit: 100 })).length;

test('a pushed item is stored, queued for enrichment and public afterwards', async () => {
  const response = await endpoint.push(batch(item('orrin-1'), item('orrin-2')));
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ created: 2, updated: 0, unchanged: 0 });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await storedItems()).toBe(2);
  expect(await endpoint.queued()).toEqual({ 'enrich-items': 1 });
  expect(await app.read('agents')).toEqual({ kind: 'skipped', reason: 'pushed, not fetched' });
  const listed = app.listed().map((each) => [each.originalUrl, each.publishedAt, each.timelineAt]);
  const at = Date.parse('2026-08-22T11:30:00Z');
  expect(listed.sort()).toEqual([
    ['https://halden.example/news/orrin-1', at, app.clock.now()],
    ['https://halden.example/news/orrin-2', at, app.clock.now()],
  ]);
});

test('the same batch again is unchanged and publishes nothing', async () => {
  const head = await publicationHead(app.world, app.db);
  const repeatedBatch = batch(item('orrin-2'), item('orrin-1'));
  expect((await endpoint.push(repeatedBatch)).body).toEqual({
    created: 0,
    updated: 0,
    unchanged: 2,
  });
  expect(await storedItems()).toBe(0);
  expect(await publicationHead(app.world, app.db)).toEqual(head);
});

test('distinguishes a new, an edited and an unchanged item', async () => {
  const title = `${item('orrin-1').title}, at last`;
  const mixed = batch(item('orrin-1', { title }), item('orrin-2'), item('orrin-3'));
  expect((await endpoint.push(mixed)).body).toEqual({ created: 1, updated: 1, unchanged: 1 });
  await app.read('agents');
  expect(app.listed()).toHaveLength(3);
  expect(app.listed().map((each) => each.title)).toContain(title);
});

test('ten identical batches at once store one batch', async () => {
  const items = Array.from({ length: 50 }, (_, index) => item(`tessel-${index}`));
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => endpoint.push(batch(...items))),
  );
  const sum = (key: string) => responses.reduce((total, { body }) => total + Number(body[key]), 0);
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect([sum('created'), sum('updated'), sum('unchanged')]).toEqual([50, 0, 450]);
  expect(await storedItems()).toBe(50);
});

test('treats absent fields as null, and removes control characters', async () => {
  const nothing = { summary: null, content: null, author: null, publishedAt: null, language: null };
  const odd = batch({ ...item('odd', nothing), title: ' Odd\u0000 \n title\u0007 of a thing ' });
  expect((await endpoint.push(odd)).body).toEqual({ created: 1, updated: 0, unchanged: 0 });
  await app.read('agents');
  const listedItem = app.listed().find((each) => each.originalUrl.endsWith('/odd'));
  expect(listedItem).toMatchObject({ title: 'Odd title of a thing', publishedAt: null });
});

test('keeps a short summary and one in several scripts', async () => {
  const short = {
    title: 'Zorblax raises a Series A',
    summary: 'Zorblax raised 30 million dollars.',
  };
  const scripts = {
    title: 'Quillon opens an office in Cairo',
    summary: 'Квиллон открыл офис. 奎隆开设办公室。شركة كويلون تفتح مكتبا.',
  };
  await endpoint.push(batch(item('short', short), item('scripts', scripts)));
  await app.read('agents');
  const summaryOf = (name: string) =>
    app.listed().find((each) => each.originalUrl.endsWith(`/${name}`))?.summary;
  expect(summaryOf('short')).toBe(short.summary);
  expect(summaryOf('scripts')).toBe(scripts.summary);
});

test('records each accepted batch as a fetch of its source', async () => {
  const at = (await listSources(app.db)).find(({ id }) => id === 'agents');
  expect(at).toMatchObject({ lastSuccessAt: app.clock.now(), failures: 0 });
  const rows = await attempts(app.db, 'agents', 100);
  expect(rows).toHaveLength(15);
  const outcomes = rows.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(10);
});

test('items of two sources with their own tokens stay separate', async () => {
  const token = await addPushSource(app, 'others');
  const otherBatch = { source: 'others', items: [item('orrin-1')] };
  const response = await endpoint.push(otherBatch, { authorization: `bearer ${token}` });
  expect(response.body).toEqual({ created: 1, updated: 0, unchanged: 0 });
});
