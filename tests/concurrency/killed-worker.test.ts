// A worker is killed -9 with three hundred entries half ingested; another with half of them
// enriched. The next worker completes all of it without loss or repetition.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { latestFetchRows } from '../../src/store/radar/sources/fetches.ts';
import {
  expectConsistent,
  itemCount,
  publicCount,
  waitingCount,
} from '../support/expect-consistent.ts';
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

type Hold = {
  release(): Promise<void>;
  /** The numbers of blocked writers and of locks that wait for earlier ones. */
  waiting(): Promise<{ readonly writers: number; readonly holds: number }>;
};

/** Locks a table against writers until it is released, so the worker stops there. */
async function lockTable(table: string): Promise<Hold> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN SHARE MODE`);
  return {
    release: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
    waiting: async () => {
      const { rows } = await client.query(
        `SELECT count(*) FILTER (WHERE mode <> 'ShareLock')::int AS writers,
          count(*) FILTER (WHERE mode = 'ShareLock')::int AS holds
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
  const readings = await lockTable('readings');
  const first = await startWorker();
  await until(async () => ((await readings.waiting()).writers > 0 ? true : null));
  await first.end('SIGKILL');
  await readings.release();
  expect(await itemCount(db)).toBe(0);
  expect(await latestFetchRows(db, 'feed', 10)).toEqual([]);

  // The first lock lets its waiters pass. Later writers stop at the second lock, which is queued
  // behind them. At any speed of the worker, half of its work is done.
  const before = await lockTable('judgements');
  const second = await startWorker();
  await until(async () => ((await before.waiting()).writers > 0 ? true : null));
  const behind = lockTable('judgements');
  await until(async () => ((await before.waiting()).holds > 0 ? true : null));
  await before.release();
  const enrichments = await behind;
  await until(async () => ((await enrichments.waiting()).writers > 0 ? true : null));
  await second.end('SIGKILL');
  await enrichments.release();
  const half = await publicCount(db);
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(300);
  expect(await waitingCount(db)).toBe(300 - half);

  const third = await startWorker();
  await until(async () => ((await waitingCount(db)) === 0 ? true : null));
  await expectConsistent(db);
  expect(await publicCount(db)).toBe(300);
  const [attempt, ...others] = await latestFetchRows(db, 'feed', 10);
  expect(others).toEqual([]);
  expect(attempt).toMatchObject({ outcome: 'read', entries: 300, created: 300, changed: 0 });
  await third.end('SIGTERM');
});
