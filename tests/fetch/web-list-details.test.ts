// A web list with too little text: the pages of its new entries complete it. Each page is fetched
// once, with limited concurrency, when robots.txt allows it.
import { expect, test } from 'vitest';
import { toWireTime } from '../../src/kernel/time/calendar.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { readFetchState } from '../../src/store/radar/sources/fetch-states.ts';
import { openLoopbackSite } from '../support/loopback-site.ts';
import { listLatestFetches } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';
import { until } from '../support/until.ts';

const app = await openTestApp();

const settings = {
  item: 'li',
  detail: { date: 'time', content: 'article', author: '.by' },
};

const page = (name: string, day: string) =>
  `<html><body><h1>${name}</h1><p class="by">Ada Reed</p><time datetime="${day}">then</time>` +
  `<article><p>${`Halden Labs shows ${name}. `.repeat(60)}</p></article></body></html>`;

/** A web list on a site with 25 pages, one for each day. `robots`: the text of robots.txt. */
async function openList(id: string, robots: string | null = null) {
  const site = await openLoopbackSite();
  const publishList = (paths: readonly string[]) => {
    const items = paths.map(
      (path) => `<li><a href="/${path}">About ${path} at Halden Labs</a></li>`,
    );
    site.respond('/', { body: `<html><body><ul>${items.join('')}</ul></body></html>` });
  };
  for (let day = 1; day <= 25; day += 1) {
    const date = `2026-07-${String(day).padStart(2, '0')}`;
    site.respond(`/p${day}`, {
      body: page(`p${day}`, date),
      headers: { 'content-type': 'text/html' },
    });
  }
  if (robots !== null) site.respond('/robots.txt', { body: robots });
  await app.addFeed(id, `${site.url}/`, {
    kind: 'web-list',
    name: id,
    settings: { ...settings, url: `${site.url}/` },
  });
  const requestedPages = () =>
    site.requests.map(({ path }) => path).filter((path) => /^\/p\d/.test(path));
  return { site, publishList, requestedPages };
}

/** Title, date and author of each stored item, and whether it has a text, sorted by address. */
async function readStoredItems(id: string) {
  const items = await sqlOf(app.db)
    .selectFrom('items')
    .select(['title', 'published_at', 'author', 'content'])
    .where('source_id', '=', id)
    .orderBy('canonical_url')
    .execute();
  const rows = items.map(({ title, published_at, author, content }) => [
    title,
    published_at === null ? null : toWireTime(published_at),
    author,
    content.includes('Halden Labs shows'),
  ]);
  return { rows };
}

async function fetchNow(id: string) {
  const from = app.clock.now();
  await app.fetchAndEnrich(id);
  app.clock.set(Math.max(from + MINUTE_MS, app.clock.now()));
  const [attempt] = await listLatestFetches(app.db, id, 1);
  return attempt;
}

test('requests a page once for its date and text', async () => {
  const { publishList, requestedPages } = await openList('lab');
  publishList(['p1', 'p2']);
  expect(await fetchNow('lab')).toMatchObject({ outcome: 'read', entries: 2, created: 2 });
  expect(requestedPages()).toEqual(['/p1', '/p2']);
  publishList(['p3', 'p1', 'p2']);
  expect(await fetchNow('lab')).toMatchObject({ entries: 3, created: 1, changed: 0 });
  expect(requestedPages()).toEqual(['/p1', '/p2', '/p3']);
  const { rows } = await readStoredItems('lab');
  expect(rows).toEqual([
    ['About p1 at Halden Labs', '2026-07-01T00:00:00.000Z', 'Ada Reed', true],
    ['About p2 at Halden Labs', '2026-07-02T00:00:00.000Z', 'Ada Reed', true],
    ['About p3 at Halden Labs', '2026-07-03T00:00:00.000Z', 'Ada Reed', true],
  ]);
});

test('an edit of the list requests the page again and keeps its content', async () => {
  const { site, publishList, requestedPages } = await openList('edited');
  publishList(['p1']);
  await fetchNow('edited');
  site.respond('/', { body: '<ul><li><a href="/p1">About p1, corrected</a></li></ul>' });
  expect(await fetchNow('edited')).toMatchObject({ created: 0, changed: 1 });
  expect(requestedPages()).toEqual(['/p1', '/p1']);
  const { rows } = await readStoredItems('edited');
  expect(rows).toEqual([['About p1, corrected', '2026-07-01T00:00:00.000Z', 'Ada Reed', true]]);
});

test('requests twenty pages per fetch, and completes the import with later fetches', async () => {
  const { publishList, requestedPages } = await openList('long');
  const allPaths = Array.from({ length: 25 }, (_, index) => `p${index + 1}`);
  publishList(allPaths);
  expect(await fetchNow('long')).toMatchObject({
    entries: 20,
    created: 20,
    message: '5 entries wait for the next fetch',
  });
  expect(await readFetchState(app.db, 'long')).toMatchObject({
    imported_at: null,
    body_hash: null,
  });
  expect(await fetchNow('long')).toMatchObject({
    entries: 25,
    created: 5,
    changed: 0,
    message: null,
  });
  expect((await readFetchState(app.db, 'long')).imported_at).not.toBeNull();
  expect(requestedPages()).toEqual(allPaths.map((path) => `/${path}`));
  expect(await fetchNow('long')).toMatchObject({ outcome: 'unchanged' });
});

test('does not request pages that robots.txt forbids, and keeps the list’s data', async () => {
  const { publishList, requestedPages } = await openList(
    'closed',
    'User-agent: *\nDisallow: /p1\n',
  );
  publishList(['p1', 'p2']);
  const attempt = await fetchNow('closed');
  expect(attempt).toMatchObject({ created: 2 });
  expect(attempt?.message).toContain('robots.txt disallows /p1');
  expect(requestedPages()).toEqual(['/p2']);
  const { rows } = await readStoredItems('closed');
  expect(rows[0]).toEqual(['About p1 at Halden Labs', null, null, false]);
});

test('defers the other pages of a host that failed', async () => {
  const { site, publishList, requestedPages } = await openList('failing');
  site.respond('/p1', { status: 503 });
  publishList(['p1', 'p2', 'p3']);
  expect(await fetchNow('failing')).toMatchObject({ created: 1 });
  expect(requestedPages()).not.toContain('/p2');
  expect(await fetchNow('failing')).toMatchObject({ created: 2 });
  expect(requestedPages().slice(-2)).toEqual(['/p2', '/p3']);
});

test('waits for the crawl delay of robots.txt between pages', async () => {
  const { site, publishList } = await openList('slow', 'User-agent: *\nCrawl-delay: 10\n');
  publishList(['p1', 'p2', 'p3']);
  const times: number[] = [];
  for (const day of [1, 2, 3]) {
    site.respond(`/p${day}`, () => {
      times.push(app.clock.now());
      return { body: page(`p${day}`, `2026-07-0${day}`) };
    });
  }
  let isFetched = false;
  const fetching = fetchNow('slow').finally(() => {
    isFetched = true;
  });
  await until(async () => {
    if (!isFetched) app.clock.advance(500);
    return isFetched ? true : null;
  });
  expect(await fetching).toMatchObject({ created: 3 });
  const gaps = times.slice(1, 3).map((time, index) => time - (times[index] ?? 0));
  expect(gaps).toHaveLength(2);
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(10_000);
});
