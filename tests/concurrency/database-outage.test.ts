// Requests during a database outage. The read model serves most requests from memory; other
// requests receive an error with a short Retry-After. No data is lost.
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
import { type ItemPublisher, openItemPublisher } from '../support/item-publisher.ts';
import { proofSize } from '../support/proof-size.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestServer } from '../support/radar-server.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

/** The real time plus an offset, which the test can increase. */
let clockOffsetMs = TEST_NOW - Date.now();
const clock = { now: () => Date.now() + clockOffsetMs, sleep: runningClock().sleep };
const world = { ...testWorld().world, clock };

const dataDir = join(mkdtempSync(join(tmpdir(), 'radar-away-')), 'data');
let db: Db;
let publication: Publication;
let publisher: ItemPublisher;
let url: string;

beforeAll(async () => {
  chmodSync(dirname(dataDir), 0o755);
  const server = await openEmbeddedPostgres(world.log, { dataDir, isDurable: true });
  db = openDb(world.log, server.connection, { applicationName: 'radar' });
  await migrate(world, db);
  publisher = await openItemPublisher(world, db);
  for (let index = 0; index < 60; index += 1)
    await publisher.publish(`Item ${index}`, TEST_NOW - index * 10 * MINUTE_MS);
  await pushStory();
  publication = await openPublication(world, db, {
    id: world.ids.next(),
    host: 'test',
    pid: process.pid,
    parts: ['radar'],
    started_at: clock.now(),
    clock_offset_ms: clockOffsetMs,
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

/** Pushes a story that enters the ranking, because two owners report it. */
async function pushStory(): Promise<void> {
  const publisher = openStoryPublisher(world, db);
  const at = TEST_NOW - 601 * MINUTE_MS;
  for (const source of ['ledger', 'wire']) {
    await publisher.addSource({ id: source });
    await publisher.publish({ source, story: 'crane', title: 'A crane falls in Quay', at });
  }
  await computeRanking(world, db, await readRankingRules('editorial'));
}

/** Requests that the read model serves: cached responses, and new queries. */
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

async function fetchStatuses(paths: readonly string[]): Promise<readonly number[]> {
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(url + path);
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

const okStatuses = (paths: readonly string[]) => paths.map(() => 200);

/**
 * Advances the clock by one hour in steps of a minute. Each step requests every address, some with
 * new queries.
 */
async function requestForOneHour(): Promise<void> {
  for (let minute = 1; minute <= 60; minute += 1) {
    clockOffsetMs += MINUTE_MS;
    const paths = addresses(minute);
    expect(await fetchStatuses(paths), `minute ${minute}`).toEqual(okStatuses(paths));
  }
}

async function sendRequests(requests: number): Promise<void> {
  const paths = Array.from({ length: 20 }, (_, turn) => addresses(turn)[turn % 6] ?? '');
  for (let sent = 0; sent < requests; sent += paths.length) {
    expect(await fetchStatuses(paths)).toEqual(okStatuses(paths));
  }
}

/**
 * Sends requests that need the database. The contract promises 503 within two seconds; the test
 * allows three times that duration.
 */
async function requestStoredData() {
  const paths = ['/api/v1/selected/snapshot', '/api/v1/selected/changes?cursor=s1.x'];
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(6_000) });
      const problem = (await response.json()) as Record<string, unknown>;
      const { code, retryAfter } = problem;
      const retryAfterHeader = Number(response.headers.get('retry-after'));
      return {
        status: response.status,
        code,
        hasSameRetryAfter: retryAfterHeader === retryAfter,
        retryAfterHeader,
      };
    }),
  );
}

const expectedRefusal = {
  status: 503,
  code: 'temporarily_unavailable',
  hasSameRetryAfter: true,
  retryAfterHeader: expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 120),
};

type DatabaseOutage = { readonly stopDatabase: () => void; readonly restore: () => void };

/** A helper process of the server may have ended since the list was read. */
function sendSignal(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** Signals the postmaster first, because it starts all other processes. */
const signalAll = (signal: NodeJS.Signals) => {
  sendSignal(signal, postmasterOf(dataDir));
  for (const pid of serversOf(dataDir)) sendSignal(signal, pid);
};

const outages: Readonly<Record<string, DatabaseOutage>> = {
  'stands still': { stopDatabase: () => signalAll('SIGSTOP'), restore: () => signalAll('SIGCONT') },
  'is killed': {
    stopDatabase: () => {
      const servers = serversOf(dataDir);
      // The folder moves first, because the application would restart the server within a second.
      renameSync(join(dataDir, 'postgres'), join(dataDir, 'elsewhere'));
      for (const pid of servers) sendSignal('SIGKILL', pid);
    },
    restore: () => renameSync(join(dataDir, 'elsewhere'), join(dataDir, 'postgres')),
  },
};

describe.skipIf(process.platform !== 'linux').each(Object.keys(outages))(
  'a database that %s',
  (outageName) => {
    const { stopDatabase, restore } = outages[outageName] as DatabaseOutage;

    test('does not affect readers for one hour of the test clock under load', async () => {
      const contentBefore = await fetch(`${url}/api/v1/items?mode=all`);
      const lastResponse = {
        etag: contentBefore.headers.get('etag'),
        body: await contentBefore.text(),
      };
      const confirmedAt = publication.confirmedAt();
      stopDatabase();
      try {
        expect(await requestStoredData()).toEqual([expectedRefusal, expectedRefusal]);
        const contentAfter = await fetch(`${url}/api/v1/items?mode=all`);
        expect({ etag: contentAfter.headers.get('etag'), body: await contentAfter.text() }).toEqual(
          lastResponse,
        );
        await requestForOneHour();
        await sendRequests(proofSize(2_000, 60_000));
        expect(await requestStoredData()).toEqual([expectedRefusal, expectedRefusal]);
        expect(await fetchStatuses(['/readyz'])).toEqual([200]);
        expect(publication.confirmedAt() - confirmedAt).toBeLessThan(60 * MINUTE_MS);
      } finally {
        restore();
      }
    });

    test('is used again as soon as it returns, without losses', async () => {
      const title = `After it was away: ${outageName}`;
      const id = await until(() => publisher.publish(title, clock.now()).catch(() => null));
      const listedItems = await until(async () => {
        const response = await fetch(`${url}/api/v1/items?mode=all&limit=100`);
        const { items } = (await response.json()) as { items: { id: string; title: string }[] };
        return items.some((item) => item.id === id) ? items : null;
      });
      const titles = listedItems.map((item) => item.title);
      for (let index = 0; index < 60; index += 1) expect(titles).toContain(`Item ${index}`);
      expect(titles[0]).toBe(title);
      const snapshot = await fetch(`${url}/api/v1/selected/snapshot`);
      expect(snapshot.status).toBe(200);
      expect(((await snapshot.json()) as { totalCount: number }).totalCount).toBe(titles.length);
    });
  },
);
