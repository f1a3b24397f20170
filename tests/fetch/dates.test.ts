// The place of an item in the timeline is its time of discovery. Old items, first imports and
// implausible dates are exceptions.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { listSources } from '../../src/radar/sources/list-sources.ts';
import { listSourceHealthSince } from '../../src/store/radar/sources/source-health.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();

/** A feed that has been imported once, with an entry that is not selected. */
async function openImportedFeed(id: string) {
  const oldEntry = newsOf(site, `Orrin before ${id}`, { at: app.clock.now() - 30 * DAY_MS });
  const publish = (entries: Parameters<typeof rssOf>[1]) =>
    site.respond(`/${id}`, { body: rssOf(id, [...entries, oldEntry]) });
  publish([]);
  await app.addFeed(id, `${site.url}/${id}`, { name: id });
  await app.fetchAndEnrich(id);
  app.clock.advance(MINUTE_MS);
  return { publish, read: () => app.fetchAndEnrich(id), item: (name: string) => itemNamed(name) };
}

const itemNamed = (name: string) => app.listItems().find((item) => item.title.includes(`${name},`));

test('an item found within three days of its publication has its discovery time', async () => {
  const feed = await openImportedFeed('fresh');
  const at = app.clock.now() - 71 * HOUR_MS;
  feed.publish([newsOf(site, 'Orrin late', { at })]);
  await feed.read();
  expect(feed.item('Orrin late')).toMatchObject({
    publishedAt: at,
    timelineAt: app.clock.now(),
    selected: true,
  });
});

test('an item found more than three days later has its publication time', async () => {
  const feed = await openImportedFeed('archive');
  const at = app.clock.now() - 73 * HOUR_MS;
  feed.publish([newsOf(site, 'Orrin old', { at })]);
  await feed.read();
  expect(feed.item('Orrin old')).toMatchObject({ publishedAt: at, timelineAt: at });
});

test('items of a first import have their publication times in the timeline', async () => {
  const entries = Array.from({ length: 40 }, (_, index) =>
    newsOf(site, `Orrin imported ${index}`, { at: app.clock.now() - (index + 1) * 3 * HOUR_MS }),
  );
  site.respond('/import', { body: rssOf('import', entries) });
  await app.addFeed('import', `${site.url}/import`);
  await app.fetchAndEnrich('import');
  const listedItems = app.listItems().filter((item) => item.title.includes('Orrin imported'));
  expect(listedItems.map((item) => item.timelineAt)).toEqual(entries.map((entry) => entry.at));
  expect(new Set(listedItems.map((item) => item.discoveredAt))).toEqual(new Set([app.clock.now()]));
});

test('the time of a source’s newest item is its publication time', async () => {
  const at = app.clock.now() - 50 * HOUR_MS;
  site.respond('/newest', { body: rssOf('newest', [newsOf(site, 'Orrin newest', { at })]) });
  await app.addFeed('newest', `${site.url}/newest`);
  await app.fetchAndEnrich('newest');
  const health = await listSourceHealthSince(app.db, 0);
  expect(health.find(({ id }) => id === 'newest')?.newestItemAt).toBe(at);
  const sources = await listSources(app.db);
  expect(sources.find(({ id }) => id === 'newest')?.newestItemAt).toBe(at);
});

test('lists undated items of a first import and selects only later ones', async () => {
  const undatedEntries = (names: readonly string[]) =>
    rssOf(
      'undated',
      names.map((name) => newsOf(site, name)),
    ).replaceAll(/<pubDate>.*<\/pubDate>/g, '');
  site.respond('/undated', { body: undatedEntries(['Marrow 1', 'Marrow 2']) });
  await app.addFeed('undated', `${site.url}/undated`);
  await app.fetchAndEnrich('undated');
  const stateAtImport = { publishedAt: null, timelineAt: app.clock.now(), selected: false };
  expect(itemNamed('Marrow 1')).toMatchObject(stateAtImport);
  expect(itemNamed('Marrow 2')).toMatchObject(stateAtImport);
  app.clock.advance(HOUR_MS);
  site.respond('/undated', { body: undatedEntries(['Marrow 3', 'Marrow 1', 'Marrow 2']) });
  await app.fetchAndEnrich('undated');
  const laterState = { publishedAt: null, timelineAt: app.clock.now(), selected: true };
  expect(itemNamed('Marrow 3')).toMatchObject(laterState);
  expect(itemNamed('Marrow 1')).toMatchObject(stateAtImport);
});

test.each([
  ['the first second of Unix', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['year one', '0001-01-01T00:00:00Z'],
  ['no date at all', 'soon'],
])('%s is ignored, and the item has its discovery time', async (name, date) => {
  const id = `odd-${name.toLowerCase().replaceAll(' ', '-')}`;
  const feed = await openImportedFeed(id);
  const body = rssOf(id, [newsOf(site, `Orrin ${name}`)]);
  site.respond(`/${id}`, {
    body: body.replace(/<pubDate>.*<\/pubDate>/, `<pubDate>${date}</pubDate>`),
  });
  await feed.read();
  expect(feed.item(`Orrin ${name}`)).toMatchObject({
    publishedAt: null,
    timelineAt: app.clock.now(),
    discoveredAt: app.clock.now(),
  });
});

test('a future date is not shown and does not raise an item above the present', async () => {
  const feed = await openImportedFeed('future');
  feed.publish([newsOf(site, 'Orrin tomorrow', { at: app.clock.now() + DAY_MS })]);
  await feed.read();
  const expectedFields = { publishedAt: null, timelineAt: app.clock.now(), selected: true };
  expect(feed.item('Orrin tomorrow')).toMatchObject(expectedFields);
  app.clock.advance(2 * DAY_MS);
  await app.settle();
  expect(feed.item('Orrin tomorrow')).toMatchObject(expectedFields);
});

test('an earlier date replaces a stored publication time, and a later date does not', async () => {
  const feed = await openImportedFeed('dates');
  const entry = newsOf(site, 'Orrin dated', { at: app.clock.now() - 5 * HOUR_MS });
  feed.publish([entry]);
  await feed.read();
  const itemBefore = feed.item('Orrin dated');
  app.clock.advance(HOUR_MS);
  feed.publish([{ ...entry, at: app.clock.now() }]);
  await feed.read();
  expect(feed.item('Orrin dated')).toEqual(itemBefore);
  feed.publish([{ ...entry, at: entry.at - HOUR_MS }]);
  await feed.read();
  expect(feed.item('Orrin dated')).toEqual({ ...itemBefore, publishedAt: entry.at - HOUR_MS });
});
