import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { closeDb, openDb } from '../../../src/store/platform/db.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { openTestServer } from '../../support/radar-server.ts';
import { openStoryRadar } from '../../support/story-radar.ts';

const { world, clock, publisher, publication, settle, contract } = await openStoryRadar();
const START = clock.now();

/** A database server that accepts connections and never responds. */
const silentServer = createServer(() => {});
await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
const address = silentServer.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const connection = { host: '127.0.0.1', port, user: 'radar', database: 'radar' };
const unreachableDb = openDb(world.log, connection, { applicationName: 'radar test' });
afterAll(async () => {
  silentServer.close();
  await closeDb(unreachableDb);
});

await publisher.publish({
  source: 'ledger',
  story: 'old',
  at: START - 9 * DAY_MS,
  title: 'Long ago',
});
await publisher.publish({ source: 'ledger', story: 'new', at: START, title: 'Just now' });
await publisher.publish({ source: 'wire', story: 'merged', at: START, title: 'Just now, again' });
await publisher.merge('merged', 'new');
await settle();
const origin = await openTestServer(world, { ...publication, db: unreachableDb });

test('serves the stories of the read model while the database is unreachable', async () => {
  expect((await sendRequest(origin, { path: '/api/v1/stories/new' })).status).toBe(200);
  expect((await sendRequest(origin, { path: '/api/v1/stories/merged' })).status).toBe(308);
  expect((await sendRequest(origin, { path: '/api/v1/dailies/2026-08-21' })).status).toBe(404);
});

test('returns 503 for a story that is not in the read model', async () => {
  expect((await contract.sendRequest({ path: '/api/v1/stories/old' })).status).toBe(200);
  for (const id of ['old', 'nobody-knows']) {
    const path = `/api/v1/stories/${id}`;
    const response = await sendRequest(origin, { path });
    expect([id, response.status]).toEqual([id, 503]);
    expect(contract.faultsOf({ path }, response)).toEqual([]);
    expect(json(response)).toMatchObject({ code: 'temporarily_unavailable' });
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  }
});
