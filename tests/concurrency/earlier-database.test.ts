// The database has an earlier state than a running node, after the promotion of a lagging standby
// or a restored copy. Here a copy from before the last items replaces the original.
import { expect, inject, test } from 'vitest';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { openPublication } from '../../src/radar/publication/open-publication.ts';
import { closeDb, openDb } from '../../src/store/platform/db.ts';
import { publicationHead } from '../../src/store/radar/publication/publication-head.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { onDatabase, runOn } from '../support/database-server.ts';
import { openPublisher, publisherOn } from '../support/published-items.ts';
import { openTestServer } from '../support/radar-server.ts';
import { makeTemplate, openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world: stoppedWorld, logged } = testWorld();
const world = { ...stoppedWorld, clock: { ...stoppedWorld.clock, sleep: runningClock().sleep } };
const server = inject('databaseServer');

/**
 * A radar with three items in the copy and five in the original. A node has loaded the original.
 */
async function openRadar() {
  const copy = await makeTemplate(async (db) => {
    const publisher = await openPublisher(world, db);
    for (let n = 0; n < 3; n += 1) await publisher.publish(`Kept ${n}`, TEST_NOW - n);
  });
  const { db, connection } = await openTestDatabase(copy);
  const press = publisherOn(world, db);
  for (let n = 0; n < 2; n += 1) await press.publish(`Lost ${n}`, TEST_NOW - 10 - n);
  const publication = await openPublication(world, db, {
    id: world.ids.next(),
    host: 'test',
    pid: process.pid,
    parts: ['radar'],
    started_at: world.clock.now(),
    clock_offset_ms: 0,
  });
  const url = await openTestServer(world, publication);
  const name = (connection as { readonly database: string }).database;
  return { db, publication, url, copy, name };
}

async function replaceDatabase(name: string, copy: string): Promise<void> {
  await runOn(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await runOn(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  await runOn(server, `DROP DATABASE ${name} WITH (FORCE)`);
  await runOn(server, `ALTER DATABASE ${copy} RENAME TO ${name}`);
}

async function readJson(url: string) {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const titlesAt = async (url: string): Promise<readonly string[]> => {
  const { body } = await readJson(`${url}/api/v1/items?mode=all&limit=100`);
  return (body.items as readonly { readonly title: string }[]).map(({ title }) => title).sort();
};

/** Promised; a busy machine may take three times as long. */
const NOTICED_MS = 5_000;

/** Number of items that the copy receives before it replaces the original. */
const cases = [
  { name: 'has fewer changes than the node has', added: 1 },
  { name: 'has the same number of changes, other ones', added: 2 },
  { name: 'has more changes, other ones', added: 4 },
];

for (const { name, added } of cases) {
  test(`a node loads a database that ${name}, and earlier cursors need a snapshot`, async ({
    annotate,
  }) => {
    const radar = await openRadar();
    const { body: snapshot } = await readJson(`${radar.url}/api/v1/selected/snapshot`);
    const cursor = String(snapshot.cursor);
    const epoch = (await publicationHead(world, radar.db)).epoch;
    const copyDb = openDb(world.log, onDatabase(server, radar.copy), {
      applicationName: 'radar test copy',
      ...slowConnectOptions,
    });
    const publisher = publisherOn(world, copyDb);
    for (let n = 0; n < added; n += 1) await publisher.publish(`Other ${n}`, TEST_NOW - 20 - n);
    await closeDb(copyDb);

    await replaceDatabase(radar.name, radar.copy);
    const replacedAt = Date.now();

    const expected = [
      ...['Kept 0', 'Kept 1', 'Kept 2'],
      ...Array.from({ length: added }, (_, n) => `Other ${n}`),
    ];
    const titles = await until(async () => {
      const found = await titlesAt(radar.url);
      return found.includes('Lost 0') ? null : found;
    });
    const noticedMs = Date.now() - replacedAt;
    await annotate(`noticed after ${noticedMs} ms`);
    expect(noticedMs).toBeLessThan(3 * NOTICED_MS);
    expect(titles).toEqual(expected);
    const changes = await readJson(
      `${radar.url}/api/v1/selected/changes?cursor=${encodeURIComponent(cursor)}`,
    );
    expect([changes.status, changes.body.code]).toEqual([409, 'snapshot_required']);
    expect((await publicationHead(world, radar.db)).epoch).not.toBe(epoch);
    expect(logged.filter((line) => line.includes('earlier state'))).toHaveLength(1);
    logged.length = 0;
    await radar.publication.close();
  });
}
