// Conditional requests. The fetch returns validators unchanged to the server, and a 304 stores only
// the attempt.
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { readPublicationHead } from '../../src/store/radar/publication/publication-head.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { listLatestFetches, newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();
const feed = rssOf('Ledger', [newsOf(site, 'Orrin 3')]);
const LAST_MODIFIED = 'Sat, 22 Aug 2026 10:00:00 GMT';

const unchangedResult = { outcome: 'unchanged', entries: 0, created: 0, changed: 0, message: null };

async function fetchNow(id: string) {
  await app.fetchAndEnrich(id);
  app.clock.advance(MINUTE_MS);
}

/** The conditional headers of each request for `path`. */
const conditionalHeadersOf = (path: string) =>
  site.requests
    .filter((request) => request.path === path)
    .map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']]);

test('sends both validators, and records a 304 as a fetch without news', async () => {
  site.respond('/tagged', ({ headers }) =>
    headers['if-none-match'] === '"v1"'
      ? { status: 304, headers: { etag: '"v1"' } }
      : { headers: { etag: '"v1"', 'last-modified': LAST_MODIFIED }, body: feed },
  );
  await app.addFeed('tagged', `${site.url}/tagged`);
  await fetchNow('tagged');
  const headBefore = await readPublicationHead(app.world, app.db);
  await fetchNow('tagged');
  await fetchNow('tagged');
  expect(conditionalHeadersOf('/tagged')).toEqual([
    [undefined, undefined],
    ['"v1"', LAST_MODIFIED],
    ['"v1"', LAST_MODIFIED],
  ]);
  expect(await listLatestFetches(app.db, 'tagged', 2)).toEqual([
    { ...unchangedResult, status: 304 },
    { ...unchangedResult, status: 304 },
  ]);
  expect(await readPublicationHead(app.world, app.db)).toEqual(headBefore);
});

test('sends If-Modified-Since to a server that provides only a date', async () => {
  site.respond('/dated', ({ headers }) =>
    headers['if-modified-since'] === LAST_MODIFIED
      ? { status: 304 }
      : { headers: { 'last-modified': LAST_MODIFIED }, body: feed },
  );
  await app.addFeed('dated', `${site.url}/dated`);
  await fetchNow('dated');
  await fetchNow('dated');
  expect(conditionalHeadersOf('/dated')).toEqual([
    [undefined, undefined],
    [undefined, LAST_MODIFIED],
  ]);
  expect(await listLatestFetches(app.db, 'dated', 1)).toEqual([
    { ...unchangedResult, status: 304 },
  ]);
});

test('does not parse an unchanged body from a server without 304', async () => {
  site.respond('/plain', { body: feed });
  await app.addFeed('plain', `${site.url}/plain`);
  await fetchNow('plain');
  await fetchNow('plain');
  expect(await listLatestFetches(app.db, 'plain', 2)).toEqual([
    { ...unchangedResult, status: 200 },
    { outcome: 'read', status: 200, entries: 1, created: 1, changed: 0, message: null },
  ]);
});

test('a new document replaces the validators', async () => {
  site.respond('/moving', { headers: { etag: 'W/"1"' }, body: feed });
  await app.addFeed('moving', `${site.url}/moving`);
  await fetchNow('moving');
  site.respond('/moving', { body: rssOf('Ledger', [newsOf(site, 'Orrin 4')]) });
  await fetchNow('moving');
  await fetchNow('moving');
  expect(conditionalHeadersOf('/moving')).toEqual([
    [undefined, undefined],
    ['W/"1"', undefined],
    [undefined, undefined],
  ]);
});
