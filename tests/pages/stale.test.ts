// While the database is unavailable, every page is served with the time of its last update.
import { expect, test } from 'vitest';
import { closeDb, openDb } from '../../src/store/platform/db.ts';
import { atEnd } from '../support/at-end.ts';
import { sendRequest } from '../support/http-request.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openReaderRadar, STORY } from '../support/reader-radar.ts';

const { world, clock, publication, origin } = await openReaderRadar();
const pages = [
  '/',
  '/latest',
  '/all',
  '/hot',
  `/stories/${STORY}`,
  '/daily',
  '/search?q=plant',
  '/about',
];

test('current pages show no stale notice', async () => {
  for (const path of pages) {
    expect((await sendRequest(origin, { path })).text).not.toContain('cannot reach its database');
  }
});

test('stale pages state the time of their data', async () => {
  // A port without a server.
  const noDatabase = { connectionString: 'postgres://127.0.0.1:1/none' };
  const unreachableDb = openDb(world.log, noDatabase, { applicationName: 'radar test' });
  atEnd(() => closeDb(unreachableDb));
  const confirmedAt = clock.now() - 61_000;
  const stalePublication = { ...publication, db: unreachableDb, confirmedAt: () => confirmedAt };
  const server = await openTestServer(world, stalePublication);
  for (const path of pages) {
    const { status, text } = await sendRequest(server, { path });
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain('The radar cannot reach its database.');
    expect(text).toContain(`<time datetime="${new Date(confirmedAt).toISOString()}">`);
  }
  const aboutPage = await sendRequest(server, { path: '/about' });
  expect(aboutPage.text).toContain('The state of the sources is not known right now');
  const itemPage = await sendRequest(server, {
    path: '/items/none',
    headers: { accept: 'text/html' },
  });
  expect([itemPage.status, itemPage.headers['retry-after']]).toEqual([
    503,
    expect.stringMatching(/^\d+$/),
  ]);
  expect(itemPage.text).toContain('<h1>Temporarily unavailable</h1>');
});
