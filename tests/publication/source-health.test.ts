// Public health of sources that are fetched over real HTTP with a manual clock: sources without
// recent items, and sources that fail.
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { HEALTH_DAYS, openSourceHealth } from '../../src/radar/publication/source-health.ts';
import { listSources } from '../../src/radar/sources/list-sources.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const { clock, world, publication } = app;
const site = await openLoopbackSite();
const health = openSourceHealth(world, publication);

async function healthOf(id: string) {
  const report = await health.read();
  const source = report?.sources.find(({ name }) => name === id);
  return { at: report?.at, ...source };
}

test('distinguishes a current source, one without recent items, and a failing one', async () => {
  site.respond('/feed', { body: rssOf('Feed', [newsOf(site, 'Orrin')]) });
  await app.addFeed('feed', `${site.url}/feed`, { name: 'Feed' });
  expect(await healthOf('Feed')).toMatchObject({ condition: 'waiting', newestItemAt: null });

  clock.advance(61_000);
  await app.fetchAndEnrich('feed');
  const healthyAt = clock.now();
  const newestItemAt = Date.parse('2026-08-22T11:00:00Z');
  const healthySource = await healthOf('Feed');
  expect(healthySource).toMatchObject({
    condition: 'current',
    lastSuccessAt: healthyAt,
    newestItemAt,
  });
  // Items of a first import do not count for the delay of a source.
  expect(healthySource).toMatchObject({ medianLagMs: null, p90LagMs: null });
  expect(healthySource.daily).toEqual([...new Array(HEALTH_DAYS - 1).fill(0), 1]);

  clock.advance(8 * DAY_MS);
  await app.fetchAndEnrich('feed');
  const quietSource = await healthOf('Feed');
  expect(quietSource).toMatchObject({ condition: 'no_recent_items', lastSuccessAt: clock.now() });
  expect(quietSource.daily?.reduce((sum, count) => sum + count)).toBe(1);

  site.respond('/feed', { status: 500, body: '' });
  clock.advance(HOUR_MS);
  await app.fetchAndEnrich('feed');
  expect((await healthOf('Feed')).condition).toBe('no_recent_items');
  clock.advance(HOUR_MS);
  await app.fetchAndEnrich('feed');
  expect(await healthOf('Feed')).toMatchObject({ condition: 'failing', newestItemAt });
});

test('the newest item is the last published one, not the last imported one', async () => {
  const at = clock.now() - 3 * DAY_MS;
  site.respond('/old', { body: rssOf('Old', [newsOf(site, 'Aardvark', { at })]) });
  await app.addFeed('old', `${site.url}/old`, { name: 'Old' });
  await app.fetchAndEnrich('old');
  clock.advance(61_000);
  expect((await healthOf('Old')).newestItemAt).toBe(at);
});

test('an item with a future time is as new as its discovery', async () => {
  const at = clock.now() + 40 * DAY_MS;
  site.respond('/future', { body: rssOf('Future', [newsOf(site, 'Kestrel', { at })]) });
  await app.addFeed('future', `${site.url}/future`, { name: 'Future' });
  const fetchedAt = clock.now();
  await app.fetchAndEnrich('future');
  clock.advance(8 * DAY_MS);
  await app.fetchAndEnrich('future');
  expect(await healthOf('Future')).toMatchObject({
    condition: 'no_recent_items',
    newestItemAt: fetchedAt,
  });
  const listedSource = (await listSources(app.db)).find(({ id }) => id === 'future');
  expect(listedSource).toMatchObject({ newestItemAt: fetchedAt });
});

test('the delay of live items is measured from publication to arrival', async () => {
  const firstEntry = newsOf(site, 'Quoll');
  site.respond('/other', { body: rssOf('Other', [firstEntry]) });
  await app.addFeed('other', `${site.url}/other`, { name: 'Other' });
  await app.fetchAndEnrich('other');
  clock.advance(2 * HOUR_MS);
  const secondEntry = newsOf(site, 'Wombat', { at: clock.now() - HOUR_MS });
  site.respond('/other', { body: rssOf('Other', [firstEntry, secondEntry]) });
  await app.fetchAndEnrich('other');
  const { medianLagMs, p90LagMs } = await healthOf('Other');
  expect([medianLagMs, p90LagMs]).toEqual([HOUR_MS, HOUR_MS]);
});

test('caches the result for one minute', async () => {
  const { at } = await healthOf('Feed');
  clock.advance(59_000);
  expect((await healthOf('Feed')).at).toBe(at);
  clock.advance(1_000);
  expect((await healthOf('Feed')).at).toBe(clock.now());
});
