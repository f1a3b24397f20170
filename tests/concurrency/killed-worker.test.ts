// A worker is killed -9 when half of three hundred entries are ingested, and another worker when
// half of them are enriched. The next worker completes the work without loss or repetition.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { listLatestFetchRows } from '../../src/store/radar/sources/fetches.ts';
import {
  expectConsistentTables,
  itemCount,
  publicItemCount,
  waitingItemCount,
} from '../support/expect-consistent-tables.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { startServing } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world } = testWorld();
const { db, connection } = await openTestDatabase();
const site = await openLoopbackSite();
const folder = mkdtempSync(join(tmpdir(), 'radar-worker-'));
afterAll(() => rmSync(folder, { recursive: true }));
const config = join(folder, 'radar.config.json');
writeFileSync(config, JSON.stringify({ network: { politenessMs: 0 }, logLevel: 'warn' }));

const startWorker = () =>
  startServing({ DATABASE_URL: urlOf(connection), RADAR_CONFIG: config, DATA_DIR: folder }, [
    '--only',
    'worker',
  ]);

type TableLock = {
  release(): Promise<void>;
  /** The numbers of blocked writers, and of locks that wait for earlier locks. */
  countWaiting(): Promise<{ readonly writers: number; readonly locks: number }>;
};

/** Locks a table against writers until its release, which stops the worker at that table. */
async function lockTable(table: string): Promise<TableLock> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN SHARE MODE`);
  return {
    release: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
    countWaiting: async () => {
      const { rows } = await client.query(
        `SELECT count(*) FILTER (WHERE mode <> 'ShareLock')::int AS writers,
          count(*) FILTER (WHERE mode = 'ShareLock')::int AS locks
         FROM pg_locks WHERE NOT granted AND relation = $1::regclass`,
        [table],
      );
      return rows[0];
    },
  };
}

test('ingests and enriches everything once when workers are killed', async () => {
  const entries = Array.from({ length: 300 }, (_, index) => {
    const entry = newsOf(site, `Orrin ${index}`, { at: Date.now() - index * 3_600_000 });
    return { ...entry, text: `${entry.text} Its makers describe run ${index}. `.repeat(8) };
  });
  site.respond('/feed', { body: rssOf('Feed', entries) });
  await addSource(world, db, {
    id: 'feed',
    kind: 'feed',
    name: 'Feed',
    owner: 'Feed',
    tier: 'T1',
    language: 'en',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: { url: `${site.url}/feed` },
    privateHosts: [site.host],
  });

  // The transaction contains all entries but not yet the record of the fetch.
  const fetchLock = await lockTable('readings');
  const firstWorker = await startWorker();
  await until(async () => ((await fetchLock.countWaiting()).writers > 0 ? true : null));
  await firstWorker.end('SIGKILL');
  await fetchLock.release();
  expect(await itemCount(db)).toBe(0);
  expect(await listLatestFetchRows(db, 'feed', 10)).toEqual([]);

  // Writers that wait for the first lock continue after its release. Later writers stop at the
  // second lock, which is queued behind them. Therefore about half of the work is done, at any
  // speed of the worker.
  const firstLock = await lockTable('judgements');
  const secondWorker = await startWorker();
  await until(async () => ((await firstLock.countWaiting()).writers > 0 ? true : null));
  const pendingLock = lockTable('judgements');
  await until(async () => ((await firstLock.countWaiting()).locks > 0 ? true : null));
  await firstLock.release();
  const secondLock = await pendingLock;
  await until(async () => ((await secondLock.countWaiting()).writers > 0 ? true : null));
  await secondWorker.end('SIGKILL');
  await secondLock.release();
  const enrichedCount = await publicItemCount(db);
  expect(enrichedCount).toBeGreaterThan(0);
  expect(enrichedCount).toBeLessThan(300);
  expect(await waitingItemCount(db)).toBe(300 - enrichedCount);

  const thirdWorker = await startWorker();
  await until(async () => ((await waitingItemCount(db)) === 0 ? true : null));
  await expectConsistentTables(db);
  expect(await publicItemCount(db)).toBe(300);
  const [attempt, ...otherAttempts] = await listLatestFetchRows(db, 'feed', 10);
  expect(otherAttempts).toEqual([]);
  expect(attempt).toMatchObject({ outcome: 'read', entries: 300, created: 300, changed: 0 });
  await thirdWorker.end('SIGTERM');
});
