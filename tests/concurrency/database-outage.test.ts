// Requests during a database outage. Responses within the read model come from memory; others have
// a short Retry-After. No data is lost.
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/kernel/ports/db.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { openPublication, type Publication } from '../../src/radar/publication/open-publication.ts';
import { computeRanking } from '../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { openEmbeddedPostgres } from '../../src/store/embedded-postgres/open.ts';
import { closeDb, openDb } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import {
  postmasterOf,
  serversOf,
  waitForNoProcesses,
} from '../store/embedded-postgres/start-user.ts';
import { proofSize } from '../support/proof-size.ts';
import { openPublisher, type Publisher } from '../support/published-items.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestServer } from '../support/radar-server.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

/** Real time, which the test can also move forward. */
let aheadMs = TEST_NOW - Date.now();
const clock = { now: () => Date.now() + aheadMs, sleep: runningClock().sleep };
const world = { ...testWorld().world, clock };

const dataDir = join(mkdtempSync(join(tmpdir(), 'radar-away-')), 'data');
let db: Db;
let publication: Publication;
let press: Publisher;
let url: string;

beforeAll(async () => {
  chmodSync(dirname(dataDir), 0o755);
  const server = await openEmbeddedPostgres(world.log, { dataDir, isDurable: true });
  db = openDb(world.log, server.connection, { applicationName: 'radar' });
  await migrate(world, db);
  press = await openPublisher(world, db);
  for (let n = 0; n < 60; n += 1) await press.publish(`Item ${n}`, TEST_NOW - n * 10 * MINUTE_MS);
  await pushStory();
  publication = await openPublication(world, db, {
    id: world.ids.next(),
    host: 'test',
    pid: process.pid,
    parts: ['radar'],
    started_at: clock.now(),
    clock_offset_ms: aheadMs,
  });
  url = await openTestServer(world, publication);
  return async () => {
    await publication.close();
    await closeDb(db);
    await server.close();
    await waitForNoProcesses(dataDir);
    rmSync(dirname(dataDir), { recursive: true, force: true });
  };
});

/** A story of the ranking: two owners report it. */
async function pushStory(): Promise<void> {
  const publisher = openStoryPublisher(world, db);
  const at = TEST_NOW - 601 * MINUTE_MS;
  for (const source of ['ledger', 'wire']) {
    await publisher.addSource({ id: source });
    await publisher.publish({ source, story: 'crane', title: 'A crane falls in Quay', at });
  }
  await computeRanking(world, db, await readRankingRules('editorial'));
}

/** Requests that the read model answers: cached responses, and new queries. */
const addresses = (turn: number): readonly string[] => [
  '/api/v1/items',
  '/api/v1/items?mode=all&limit=100',
  '/api/v1/items?by=published&category=industry',
  '/api/v1/items?window=24h',
  `/api/v1/items?q=item+${turn}`,
  `/api/v1/items?limit=${1 + (turn % 100)}&mode=all`,
  '/api/v1/hot-topics',
  '/api/v1/stories/crane',
  '/api/v1/dailies',
  '/api/v1/weeklies',
  '/api/v1/monthlies',
  '/openapi-v1.json',
  '/problems/rate-limited',
  '/healthz',
  '/readyz',
];

async function statuses(paths: readonly string[]): Promise<readonly number[]> {
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(url + path);
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

const allOk = (paths: readonly string[]) => paths.map(() => 200);

/**
 * One hour of the clock in steps of a minute. Each minute requests every address, some with new
 * queries.
 */
async function passAnHour(): Promise<void> {
  for (let minute = 1; minute <= 60; minute += 1) {
    aheadMs += MINUTE_MS;
    const paths = addresses(minute);
    expect(await statuses(paths), `minute ${minute}`).toEqual(allOk(paths));
  }
}

async function load(requests: number): Promise<void> {
  const paths = Array.from({ length: 20 }, (_, n) => addresses(n)[n % 6] ?? '');
  for (let sent = 0; sent < requests; sent += paths.length) {
    expect(await statuses(paths)).toEqual(allOk(paths));
  }
}

/**
 * Requests that need the database: 503 within two seconds by the contract; the test allows three
 * times that.
 */
async function refusals() {
  const paths = ['/api/v1/selected/snapshot', '/api/v1/selected/changes?cursor=s1.x'];
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(6_000) });
      const problem = (await response.json()) as Record<string, unknown>;
      const { code, retryAfter } = problem;
      const header = Number(response.headers.get('retry-after'));
      return { status: response.status, code, isSame: header === retryAfter, header };
    }),
  );
}

const refusedConnection = {
  status: 503,
  code: 'temporarily_unavailable',
  isSame: true,
  header: expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 120),
};

type DatabaseOutage = { readonly go: () => void; readonly restore: () => void };

/** A helper process of the server may have ended since the list was read. */
function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** The postmaster starts all others, so it is stopped first. */
const signalAll = (signal: NodeJS.Signals) => {
  send(signal, postmasterOf(dataDir));
  for (const pid of serversOf(dataDir)) send(signal, pid);
};

const outages: Readonly<Record<string, DatabaseOutage>> = {
  'stands still': { go: () => signalAll('SIGSTOP'), restore: () => signalAll('SIGCONT') },
  'is killed': {
    go: () => {
      const servers = serversOf(dataDir);
      // Stopped first, because the supervisor would restart the server within a second.
      renameSync(join(dataDir, 'postgres'), join(dataDir, 'elsewhere'));
      for (const pid of servers) send('SIGKILL', pid);
    },
    restore: () => renameSync(join(dataDir, 'elsewhere'), join(dataDir, 'postgres')),
  },
};

describe.skipIf(process.platform !== 'linux').each(Object.keys(outages))(
  'a database that %s',
  (way) => {
    const { go, restore } = outages[way] as DatabaseOutage;

    test('does not affect readers for one hour of the clock under load', async () => {
      const before = await fetch(`${url}/api/v1/items?mode=all`);
      const lastResponse = { etag: before.headers.get('etag'), body: await before.text() };
      const confirmedAt = publication.confirmedAt();
      go();
      try {
        expect(await refusals()).toEqual([refusedConnection, refusedConnection]);
        const after = await fetch(`${url}/api/v1/items?mode=all`);
        expect({ etag: after.headers.get('etag'), body: await after.text() }).toEqual(lastResponse);
        await passAnHour();
        await load(proofSize(2_000, 60_000));
        expect(await refusals()).toEqual([refusedConnection, refusedConnection]);
        expect(await statuses(['/readyz'])).toEqual([200]);
        expect(publication.confirmedAt() - confirmedAt).toBeLessThan(60 * MINUTE_MS);
      } finally {
        restore();
      }
    });

    test('is used again as soon as it returns, without losses', async () => {
      const title = `After it was away: ${way}`;
      const id = await until(() => press.publish(title, clock.now()).catch(() => null));
      const listed = await until(async () => {
        const response = await fetch(`${url}/api/v1/items?mode=all&limit=100`);
        const { items } = (await response.json()) as { items: { id: string; title: string }[] };
        return items.some((item) => item.id === id) ? items : null;
      });
      const titles = listed.map((item) => item.title);
      for (let n = 0; n < 60; n += 1) expect(titles).toContain(`Item ${n}`);
      expect(titles[0]).toBe(title);
      const snapshot = await fetch(`${url}/api/v1/selected/snapshot`);
      expect(snapshot.status).toBe(200);
      expect(((await snapshot.json()) as { totalCount: number }).totalCount).toBe(titles.length);
    });
  },
);
