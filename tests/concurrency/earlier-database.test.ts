// The database has an earlier state than a running node, for example after a lagging standby was
// promoted. In this test a copy from before the last items replaces the original.
import { expect, inject, test } from 'vitest';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { openPublication } from '../../src/radar/publication/open-publication.ts';
import { closeDb, openDb } from '../../src/store/platform/db.ts';
import { readPublicationHead } from '../../src/store/radar/publication/publication-head.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { connectionTo, runStatement } from '../support/database-server.ts';
import { itemPublisherFor, openItemPublisher } from '../support/item-publisher.ts';
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
  const templateName = await makeTemplate(async (db) => {
    const publisher = await openItemPublisher(world, db);
    for (let index = 0; index < 3; index += 1)
      await publisher.publish(`Kept ${index}`, TEST_NOW - index);
  });
  const { db, connection } = await openTestDatabase(templateName);
  const publisher = itemPublisherFor(world, db);
  for (let index = 0; index < 2; index += 1)
    await publisher.publish(`Lost ${index}`, TEST_NOW - 10 - index);
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
  return { db, publication, url, copy: templateName, name };
}

async function replaceDatabase(name: string, templateName: string): Promise<void> {
  await runStatement(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await runStatement(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`);
  await runStatement(server, `ALTER DATABASE ${templateName} RENAME TO ${name}`);
}

async function readJson(url: string) {
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const readTitles = async (url: string): Promise<readonly string[]> => {
  const { body } = await readJson(`${url}/api/v1/items?mode=all&limit=100`);
  return (body.items as readonly { readonly title: string }[]).map(({ title }) => title).sort();
};

/** The promised limit; a busy machine may take three times as long. */
const NOTICE_LIMIT_MS = 5_000;

/** `added`: the number of items that the copy receives before it replaces the original. */
const cases = [
  { name: 'has fewer changes than the node has', added: 1 },
  { name: 'has the same number of other changes', added: 2 },
  { name: 'has a larger number of other changes', added: 4 },
];

for (const { name, added: addedItems } of cases) {
  test(`a node loads a database that ${name}, and earlier cursors need a snapshot`, async ({
    annotate,
  }) => {
    const radar = await openRadar();
    const { body: snapshot } = await readJson(`${radar.url}/api/v1/selected/snapshot`);
    const cursor = String(snapshot.cursor);
    const epoch = (await readPublicationHead(world, radar.db)).epoch;
    const copyDb = openDb(world.log, connectionTo(server, radar.copy), {
      applicationName: 'radar test copy',
      ...slowConnectOptions,
    });
    const publisher = itemPublisherFor(world, copyDb);
    for (let index = 0; index < addedItems; index += 1)
      await publisher.publish(`Other ${index}`, TEST_NOW - 20 - index);
    await closeDb(copyDb);

    await replaceDatabase(radar.name, radar.copy);
    const replacedAt = Date.now();

    const expected = [
      'Kept 0',
      'Kept 1',
      'Kept 2',
      ...Array.from({ length: addedItems }, (_, index) => `Other ${index}`),
    ];
    const titles = await until(async () => {
      const titlesFound = await readTitles(radar.url);
      return titlesFound.includes('Lost 0') ? null : titlesFound;
    });
    const noticedMs = Date.now() - replacedAt;
    await annotate(`noticed after ${noticedMs} ms`);
    expect(noticedMs).toBeLessThan(3 * NOTICE_LIMIT_MS);
    expect(titles).toEqual(expected);
    const changes = await readJson(
      `${radar.url}/api/v1/selected/changes?cursor=${encodeURIComponent(cursor)}`,
    );
    expect([changes.status, changes.body.code]).toEqual([409, 'snapshot_required']);
    expect((await readPublicationHead(world, radar.db)).epoch).not.toBe(epoch);
    expect(logged.filter((line) => line.includes('earlier state'))).toHaveLength(1);
    logged.length = 0;
    await radar.publication.close();
  });
}
