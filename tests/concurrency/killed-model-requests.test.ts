// A worker is killed -9 while the model's server processes a request of each step. Later workers
// process every item, and repeat no request that may have been paid, except for embeddings.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { listUnknownRequests } from '../../src/store/model/model-requests.ts';
import {
  expectConsistentTables,
  itemCount,
  publicItemCount,
  waitingItemCount,
} from '../support/expect-consistent-tables.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { proofSize } from '../support/proof-size.ts';
import { startServing } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world } = testWorld();
const { db, connection } = await openTestDatabase();
const site = await openLoopbackSite();
const server = await openModelServer({ latencyMs: 100 });
const folder = mkdtempSync(join(tmpdir(), 'radar-asking-'));
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
const config = join(folder, 'radar.config.json');
// The time limits allow for a pause of this process and a late response.
const model = { timeoutSeconds: 5, unknownOutcomeRetrySeconds: 3_600 };
writeFileSync(config, JSON.stringify({ network: { politenessMs: 0 }, logLevel: 'warn', model }));

const startWorker = () =>
  startServing(
    {
      DATABASE_URL: urlOf(connection),
      RADAR_CONFIG: config,
      DATA_DIR: folder,
      MODEL_URL: server.url,
      MODEL_KEY: modelKey,
      MODEL_NAME: 'demo-editor',
      EMBEDDING_MODEL: 'demo-vectors',
    },
    ['--only', 'worker'],
  );

const ITEMS = 24;
const allSteps = ['prefilter', 'score', 'sort', 'write', 'facts', 'embed'] as const;
/**
 * The steps at which a worker is killed. Each kill takes time, so a short run has only every third
 * step, from the second step on.
 */
const steps = allSteps.filter((_, index) => index % proofSize(3, 1) === 1 % proofSize(3, 1));

test(`enriches all and repeats no completion after kills at ${steps.join(', ')}`, async () => {
  const entries = Array.from({ length: ITEMS }, (_, index) => {
    const entry = newsOf(site, `Orrin ${index}`, { at: Date.now() - index * 60_000 });
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

  for (const step of steps) {
    const requestArrival = new Promise<void>((resolve) => {
      server.onRequest(async (request) => {
        if (request.step !== step) return;
        server.onRequest(null);
        resolve();
      });
    });
    const worker = await startWorker();
    await requestArrival;
    expect(await worker.end('SIGKILL')).toBeNull();
  }
  const lastWorker = await startWorker();
  await until(async () =>
    (await itemCount(db)) === ITEMS && (await waitingItemCount(db)) === 0 ? true : null,
  );
  expect(await lastWorker.end('SIGTERM')).toBe(0);

  expect(await publicItemCount(db)).toBe(ITEMS);
  await expectConsistentTables(db);
  const unknownRequests = await listUnknownRequests(db, { now: Date.now() + 60_000, limit: 100 });
  expect(unknownRequests.length).toBeGreaterThanOrEqual(1);
  // The server counts requests whose worker was killed, too. Only embeddings with a lost reply are
  // requested once more.
  const requestsByContent = Map.groupBy(server.billed, ({ step, content }) => `${step} ${content}`);
  const repeatedRequests = [...requestsByContent]
    .filter(([, requests]) => requests.length > 1)
    .map(([key]) => key);
  expect(repeatedRequests.filter((key) => !key.startsWith('embed '))).toEqual([]);
  expect(requestsByContent.size).toBeGreaterThanOrEqual(ITEMS * 5);
});
