// A failed fetch changes nothing, is logged, and is retried with growing delays, never before the
// server's Retry-After.
import { expect, test } from 'vitest';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { type FetchStateRow, readFetchState } from '../../src/store/radar/sources/fetch-states.ts';
import { moveSource } from '../../src/store/radar/sources/sources.ts';
import { openLoopbackSite, rssOf, type SiteResponse } from '../support/loopback-site.ts';
import { listLatestFetches, newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();
const noCounts = { entries: 0, created: 0, changed: 0 };

/** The part of the fetch state that no failure may change. */
function steadyState({ next_read_at: _next, failures: _failures, ...otherFields }: FetchStateRow) {
  return otherFields;
}

/** A feed that was fetched once, with validators. A minute later it returns `response`. */
async function openFailingFeed(id: string, response: SiteResponse) {
  const url = `${site.url}/${id}`;
  site.respond(`/${id}`, {
    headers: { etag: '"good"' },
    body: rssOf(id, [newsOf(site, `Orrin of ${id}`)]),
  });
  await app.addFeed(id, url);
  await app.fetchAndEnrich(id);
  app.clock.advance(MINUTE_MS);
  site.respond(`/${id}`, response);
  const stateBefore = await readFetchState(app.db, id);
  return {
    id,
    stateBefore,
    itemsBefore: app.listItems(),
    readState: () => readFetchState(app.db, id),
  };
}

test.each([
  ['a server error', { status: 500 }, 'failed', 500, 'the server answered 500'],
  ['a missing page', { status: 404 }, 'failed', 404, 'the server answered 404'],
  ['a page instead of a feed', { body: '<html><p>Soon!' }, 'failed', 200, expect.any(String)],
  ['a broken document', { body: '\0\x01\x02' }, 'failed', 200, expect.any(String)],
  ['an empty response', { body: '' }, 'failed', 200, expect.any(String)],
] as const)(
  'records %s and does not change the fetch state',
  async (name, response, outcome, status, message) => {
    const feed = await openFailingFeed(name.replaceAll(' ', '-'), response);
    await app.fetchAndEnrich(feed.id);
    const [attempt] = await listLatestFetches(app.db, feed.id, 1);
    expect(attempt).toEqual({ outcome, status, ...noCounts, message });
    const stateAfter = await feed.readState();
    expect(steadyState(stateAfter)).toEqual(steadyState(feed.stateBefore));
    expect(stateAfter.failures).toBe(1);
    expect(app.listItems()).toEqual(feed.itemsBefore);
  },
);

test('a server that never responds fails after the timeout of thirty seconds', async () => {
  const feed = await openFailingFeed('silent', { isSilent: true });
  const requestsBefore = site.requests.length;
  const fetching = app.fetchAndEnrich('silent');
  await expect.poll(() => site.requests.length).toBe(requestsBefore + 1);
  app.clock.advance(31_000);
  await fetching;
  const [attempt] = await listLatestFetches(app.db, 'silent', 1);
  expect(attempt).toMatchObject({ outcome: 'failed', status: null, ...noCounts });
  expect(attempt?.message).toContain('30000 ms');
  expect(steadyState(await feed.readState())).toEqual(steadyState(feed.stateBefore));
});

test('retries an unreachable server after a minute, then after growing delays', async () => {
  const feed = await openFailingFeed('unreachable', { isSilent: true });
  const waits: number[] = [];
  await moveSource(app.db, 'unreachable', 'http://127.0.0.1:1/feed', app.clock.now());
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await app.fetchAndEnrich('unreachable');
    const { next_read_at } = await feed.readState();
    waits.push(
      Math.round((requirePresent(next_read_at, 'a next fetch time') - app.clock.now()) / MINUTE_MS),
    );
  }
  expect(waits).toEqual([1, 2, 4, 8]);
});

test('retries soon when robots.txt is unreachable', async () => {
  const url = 'http://127.0.0.1:1/news';
  const settings = { url, item: 'li', title: 'a' };
  await app.addFeed('unasked', url, { kind: 'web-list', settings });
  await app.fetchAndEnrich('unasked');
  const [attempt] = await listLatestFetches(app.db, 'unasked', 1);
  expect(attempt).toMatchObject({ outcome: 'failed', status: null, ...noCounts });
  expect(attempt?.message).toContain('robots.txt of http://127.0.0.1:1 cannot be read');
  const { next_read_at } = await readFetchState(app.db, 'unasked');
  expect(requirePresent(next_read_at, 'a next fetch time')).toBeLessThan(
    app.clock.now() + 2 * MINUTE_MS,
  );
});

test('refuses an address in the private network without a request', async () => {
  await app.addFeed('router', 'http://10.1.2.3/feed.xml', { privateHosts: [] });
  await app.fetchAndEnrich('router');
  const [attempt] = await listLatestFetches(app.db, 'router', 1);
  expect(attempt).toMatchObject({ outcome: 'refused', status: null, ...noCounts });
  expect((await readFetchState(app.db, 'router')).failures).toBe(1);
});

test('refuses a redirect to a private address', async () => {
  const location = 'http://169.254.169.254/latest/meta-data/';
  const feed = await openFailingFeed('lured', { status: 302, headers: { location } });
  await app.fetchAndEnrich('lured');
  const [attempt] = await listLatestFetches(app.db, 'lured', 1);
  expect(attempt).toMatchObject({ outcome: 'refused', ...noCounts });
  expect(steadyState(await feed.readState())).toEqual(steadyState(feed.stateBefore));
});

test('doubles the interval after each failure up to one day, and resets on success', async () => {
  const feed = await openFailingFeed('flaky', { status: 503 });
  const waits: number[] = [];
  for (let attempt = 0; attempt < 9; attempt += 1) {
    await app.fetchAndEnrich('flaky');
    const { next_read_at } = await feed.readState();
    waits.push(requirePresent(next_read_at, 'a next fetch time') - app.clock.now());
    app.clock.set(requirePresent(next_read_at, 'a next fetch time'));
  }
  for (const [index, wait] of waits.entries()) {
    const expected = Math.min(30 * MINUTE_MS * 2 ** index, DAY_MS);
    expect(Math.abs(wait / expected - 1)).toBeLessThanOrEqual(0.051);
  }
  expect((await feed.readState()).failures).toBe(9);
  site.respond('/flaky', { body: rssOf('flaky', [newsOf(site, 'Orrin returns')]) });
  await app.fetchAndEnrich('flaky');
  expect(await feed.readState()).toMatchObject({ failures: 0, last_success_at: app.clock.now() });
});

test.each([
  ['seconds', (): string => '7200'],
  ['a date', (): string => new Date(app.clock.now() + 2 * HOUR_MS + MINUTE_MS).toUTCString()],
] as const)('does not fetch before a Retry-After time in %s', async (name, value) => {
  const date = new Date(app.clock.now() + MINUTE_MS).toUTCString();
  const response = { status: 429, headers: { 'retry-after': value(), date } };
  const feed = await openFailingFeed(`later-${name.replace(' ', '-')}`, response);
  await app.fetchAndEnrich(feed.id);
  const { next_read_at } = await feed.readState();
  expect(next_read_at).toBe(app.clock.now() + 2 * HOUR_MS);
});

test('does not request a fresh response before it is stale', async () => {
  const headers = { 'cache-control': 'max-age=14400' };
  site.respond('/fresh', { headers, body: rssOf('fresh', [newsOf(site, 'Orrin fresh')]) });
  await app.addFeed('fresh', `${site.url}/fresh`);
  await app.fetchAndEnrich('fresh');
  const { next_read_at } = await readFetchState(app.db, 'fresh');
  expect(next_read_at).toBe(app.clock.now() + 4 * HOUR_MS);
});
