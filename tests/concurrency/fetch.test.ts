// Several processes fetch one changing source at the same moment, repeatedly. No entry is lost or
// stored twice, and no old version replaces a new one.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { listLatestFetchRows } from '../../src/store/radar/sources/fetches.ts';
import { expectConsistentTables, itemCount } from '../support/expect-consistent-tables.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const { db, connection } = await openTestDatabase();
const site = await openLoopbackSite();
const WORKERS = 4;
const ROUNDS = 8;

type Worker = { fetchSource(): Promise<void> };

const launcher = join(import.meta.dirname, '../../bin/node24');
const script = fileURLToPath(new URL('./fetch-worker.ts', import.meta.url));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

async function startWorker(sourceId: string): Promise<Worker> {
  const args = [script, JSON.stringify(connection), sourceId];
  const child = spawn(launcher, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return {
    fetchSource: async () => {
      child.stdin.write('read\n');
      expect((await lines.next()).done).toBe(false);
    },
  };
}

test('four workers store each entry of a source once while the source changes', async () => {
  const now = Date.now();
  const entries = (version: number) =>
    Array.from({ length: 20 + version * 5 }, (_, index) => {
      const entry = newsOf(site, `Orrin ${index}`, { at: now - index * 60_000 });
      const isEdited = index % 7 === version % 7;
      return isEdited ? { ...entry, text: `${entry.text} Version ${version}.` } : entry;
    });
  await addSource(world, db, {
    id: 'busy',
    kind: 'feed',
    name: 'Busy',
    owner: 'Busy',
    tier: 'T1',
    language: 'en',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: { url: `${site.url}/busy` },
    privateHosts: [site.host],
  });
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker('busy')));
  for (let version = 0; version < ROUNDS; version += 1) {
    // Half of the responses in a round are one version behind, as when caches stand in front of a
    // site.
    let servedVersions = 0;
    site.respond('/busy', () => {
      servedVersions += 1;
      const servedVersion = servedVersions % 2 === 0 ? version : Math.max(0, version - 1);
      return {
        headers: { etag: `"${servedVersion}"` },
        body: rssOf('Busy', entries(servedVersion)),
      };
    });
    await Promise.all(workers.map((worker) => worker.fetchSource()));
  }
  site.respond('/busy', { body: rssOf('Busy', entries(ROUNDS - 1)) });
  await requirePresent(workers[0], 'a worker').fetchSource();
  await expectConsistentTables(db);
  const lastEntries = entries(ROUNDS - 1);
  expect(await itemCount(db)).toBe(lastEntries.length);
  const storedRows = await sqlOf(db).selectFrom('items').select(['entry_key', 'summary']).execute();
  const texts = new Map(storedRows.map((row) => [row.entry_key, row.summary]));
  expect(lastEntries.map(({ id }) => texts.get(id))).toEqual(lastEntries.map(({ text }) => text));
  const fetchRows = await listLatestFetchRows(db, 'busy', 1_000);
  expect(fetchRows).toHaveLength(WORKERS * ROUNDS + 1);
  expect(fetchRows.reduce((sum, row) => sum + row.created, 0)).toBe(lastEntries.length);
  expect(
    fetchRows.filter((row) => row.message === 'another fetch stored newer entries first').length,
  ).toBeGreaterThan(0);
});
