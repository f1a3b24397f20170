// A source moves or ends only after three equal responses. 301 and 308 move a source, 302 never
// does, and 410 ends it until an operator starts it again.
import { expect, test } from 'vitest';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { changeSourceStatus } from '../../src/radar/sources/set-status.ts';
import { listDueSources } from '../../src/store/radar/sources/fetch-states.ts';
import { findSource } from '../../src/store/radar/sources/sources.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { listLatestFetches, newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();

async function fetchRepeatedly(id: string, times = 1) {
  for (let count = 0; count < times; count += 1) {
    await app.fetchAndEnrich(id);
    app.clock.advance(MINUTE_MS);
  }
}

async function openMovingSource(id: string, status: number) {
  const [oldUrl, newUrl] = [`/${id}`, `/new/${id}`];
  site.respond(oldUrl, { status, headers: { location: newUrl } });
  site.respond(newUrl, {
    headers: { etag: '"1"' },
    body: rssOf(id, [newsOf(site, `Orrin ${id}`)]),
  });
  await app.addFeed(id, `${site.url}${oldUrl}`);
  return { from: `${site.url}${oldUrl}`, to: `${site.url}${newUrl}` };
}

const urlOf = async (id: string) => (await findSource(app.db, id))?.url;
const outcomes = async (id: string, count: number) =>
  (await listLatestFetches(app.db, id, count)).map(({ outcome }) => outcome);

test.each([301, 308])(
  '%d in three fetches moves the source, and no item is lost',
  async (status) => {
    const id = `moved-${status}`;
    const { from: oldUrl, to: newUrl } = await openMovingSource(id, status);
    await fetchRepeatedly(id, 2);
    expect(await urlOf(id)).toBe(oldUrl);
    await fetchRepeatedly(id);
    expect(await urlOf(id)).toBe(newUrl);
    expect(await outcomes(id, 3)).toEqual(['moved', 'unchanged', 'read']);
    const requestsBefore = site.requests.length;
    await fetchRepeatedly(id);
    expect(site.requests.slice(requestsBefore).map(({ path }) => path)).toEqual([
      new URL(newUrl).pathname,
    ]);
    expect(await outcomes(id, 1)).toEqual(['unchanged']);
    expect(app.listItems().filter((item) => item.title.includes(id))).toHaveLength(1);
  },
);

test.each([302, 303, 307])('%d is temporary: the source keeps its address', async (status) => {
  const id = `visiting-${status}`;
  const { from: oldUrl } = await openMovingSource(id, status);
  await fetchRepeatedly(id, 5);
  expect(await urlOf(id)).toBe(oldUrl);
});

test('a permanent redirect through a temporary one is not permanent', async () => {
  const { from: oldUrl } = await openMovingSource('winding', 301);
  site.respond('/new/winding', { status: 302, headers: { location: '/winding/today' } });
  site.respond('/winding/today', { body: rssOf('winding', [newsOf(site, 'Orrin winding')]) });
  await fetchRepeatedly('winding', 5);
  expect(await urlOf('winding')).toBe(oldUrl);
});

test('a changed redirect target restarts the count', async () => {
  const { from: oldUrl } = await openMovingSource('undecided', 301);
  await fetchRepeatedly('undecided', 2);
  site.respond('/undecided', { status: 301, headers: { location: '/elsewhere' } });
  site.respond('/elsewhere', { body: rssOf('undecided', [newsOf(site, 'Orrin elsewhere')]) });
  await fetchRepeatedly('undecided', 2);
  expect(await urlOf('undecided')).toBe(oldUrl);
  await fetchRepeatedly('undecided');
  expect(await urlOf('undecided')).toBe(`${site.url}/elsewhere`);
});

test('a source does not move to the address of another source', async () => {
  const { from: oldUrl, to: newUrl } = await openMovingSource('twin', 301);
  await app.addFeed('resident', newUrl);
  await fetchRepeatedly('twin', 4);
  expect(await urlOf('twin')).toBe(oldUrl);
  expect(await outcomes('twin', 1)).toEqual(['unchanged']);
});

test('410 three times ends a source, and a resumed source is fetched at once', async () => {
  site.respond('/ending', { body: rssOf('ending', [newsOf(site, 'Orrin ending')]) });
  await app.addFeed('ending', `${site.url}/ending`);
  await fetchRepeatedly('ending');
  site.respond('/ending', { status: 410 });
  await fetchRepeatedly('ending', 2);
  expect((await findSource(app.db, 'ending'))?.status).toBe('active');
  await fetchRepeatedly('ending');
  expect((await findSource(app.db, 'ending'))?.status).toBe('gone');
  expect(await outcomes('ending', 4)).toEqual(['gone', 'gone', 'gone', 'read']);
  expect(await app.fetchAndEnrich('ending')).toEqual({ kind: 'skipped', reason: 'gone' });
  const listDueIds = () => listDueSources(app.db, app.clock.now());
  expect(await listDueIds()).not.toContain('ending');
  expect(app.listItems().some((item) => item.title.includes('Orrin ending'))).toBe(true);

  await changeSourceStatus(app.world, app.db, 'ending', 'active');
  expect(await listDueIds()).toContain('ending');
  await fetchRepeatedly('ending');
  expect((await findSource(app.db, 'ending'))?.status).toBe('active');
  site.respond('/ending', { body: rssOf('ending', [newsOf(site, 'Orrin resumed')]) });
  await fetchRepeatedly('ending');
  expect(await outcomes('ending', 1)).toEqual(['read']);
  expect(requirePresent(await findSource(app.db, 'ending'), 'the source').status).toBe('active');
});

test('does not fetch a paused source until it resumes', async () => {
  site.respond('/paused', { body: rssOf('paused', [newsOf(site, 'Orrin paused')]) });
  await app.addFeed('paused', `${site.url}/paused`);
  await changeSourceStatus(app.world, app.db, 'paused', 'paused');
  expect(await app.fetchAndEnrich('paused')).toEqual({ kind: 'skipped', reason: 'paused' });
  expect(await listLatestFetches(app.db, 'paused', 1)).toEqual([]);
  await changeSourceStatus(app.world, app.db, 'paused', 'active');
  await fetchRepeatedly('paused');
  expect(await outcomes('paused', 1)).toEqual(['read']);
});
