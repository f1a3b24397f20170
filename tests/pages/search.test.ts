// Pages of one search: every hit is on exactly one page, and each page links to the next. The
// search has more hits than a page reads from the read model, so the archive has the last ones.
import { expect, test } from 'vitest';
import { shanghaiDay } from '../../src/kernel/time/calendar.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { fillBatch } from '../../src/radar/publication/archive/index-archive.ts';
import { sendRequest } from '../support/http-request.ts';
import { openItemPublisher } from '../support/item-publisher.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

const ITEM_COUNT = 405;
const { world } = testWorld();
const { db } = await openTestDatabase();
const publisher = await openItemPublisher(world, db);
const ids: string[] = [];
for (let index = 0; index < ITEM_COUNT; index += 1) {
  ids.push(
    await publisher.publish(`The mill number ${index} opens`, world.clock.now() - index * 60_000),
  );
}
const earlierAt = world.clock.now() - 3 * DAY_MS;
const earlierId = await publisher.publish('An earlier mill opens', earlierAt);
ids.push(earlierId);
let filledUntil: string | null = '';
while (filledUntil !== null) filledUntil = await fillBatch(db, filledUntil);
const publication = await openTestPublication(world, db);
const origin = await openTestServer(world, publication);

const rowsOf = (text: string) =>
  [...text.matchAll(/data-row data-id="([^"]+)"/g)].map((match) => match[1]);
const nextOf = (text: string) =>
  /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;

test('the page links of a search reach every hit once', async () => {
  const rows: (string | undefined)[] = [];
  const pages: string[] = [];
  for (let path: string | null = '/search?q=mill'; path !== null; ) {
    const { status, text } = await sendRequest(origin, { path });
    expect([path, status]).toEqual([path, 200]);
    pages.push(path);
    rows.push(...rowsOf(text));
    path = nextOf(text);
  }
  expect(pages.slice(1)).toEqual(
    [2, 3, 4, 5, 6, 7, 8].map((page) => `/search?q=mill&page=${page}`),
  );
  expect(rows).toEqual(ids);
});

test('a filter also finds hits after those of the read model', async () => {
  const { day } = shanghaiDay(earlierAt);
  for (const filters of [`from=${day}&to=${day}`, `from=${day}&to=${day}&window=7d`]) {
    const { text } = await sendRequest(origin, { path: `/search?q=mill&${filters}` });
    expect([filters, rowsOf(text)]).toEqual([filters, [earlierId]]);
  }
  const { text } = await sendRequest(origin, {
    path: `/search?q=mill&from=${day}&to=${day}&window=24h`,
  });
  expect(rowsOf(text)).toEqual([]);
});

test('a page beyond the last one links back, and an impossible number is refused', async () => {
  const { status, text } = await sendRequest(origin, { path: '/search?q=40&page=8' });
  expect([status, rowsOf(text), nextOf(text)]).toEqual([200, [], null]);
  expect(text).toContain('href="/search?q=40"');
  const rejection = await sendRequest(origin, { path: '/search?q=mill&page=0' });
  expect(rejection.status).toBe(400);
  expect(rejection.text).toContain('must be one of 1, 2, 3');
});

test('a wrong day keeps the form, and the notice has an example', async () => {
  for (const [days, notice] of [
    ['from=1+August', 'Enter From and To as days such as 2026-11-23.'],
    ['to=2026-13-40', 'Enter From and To as days such as 2026-11-23.'],
    ['from=2026-08-20&to=2026-08-01', 'The first day must not be after the last day.'],
  ] as const) {
    const { status, text } = await sendRequest(origin, { path: `/search?q=mill&${days}` });
    expect([days, status, rowsOf(text)]).toEqual([days, 200, []]);
    expect(text).toContain('name="q" value="mill"');
    expect(text).toContain(notice);
  }
});

test('a source that is not listed is shown as the chosen filter', async () => {
  const { text } = await sendRequest(origin, { path: '/search?q=mill&source=Former' });
  expect(text).toContain('<option value="Former" selected>Former</option>');
});
