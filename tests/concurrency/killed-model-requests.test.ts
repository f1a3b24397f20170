// A worker is killed -9 while a request of each step is at the model's server. Later workers
// process every item, and repeat no request that may have been paid.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { unknownReceipts } from '../../src/store/model/model-requests.ts';
import {
  expectConsistent,
  itemCount,
  publicCount,
  waitingCount,
} from '../support/expect-consistent.ts';
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
// The time is sufficient for a pause of this process and a late response.
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
const all = ['prefilter', 'score', 'sort', 'write', 'facts', 'embed'] as const;
/** Each kill ends a worker, and takes the time until another worker takes its work over. */
const steps = all.filter((_, index) => index % proofSize(3, 1) === 1 % proofSize(3, 1));

test(`enriches everything and pays nothing twice when killed at ${steps.join(', ')}`, async () => {
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
    const reached = new Promise<void>((resolve) => {
      server.onRequest(async (request) => {
        if (request.step !== step) return;
        server.onRequest(null);
        resolve();
      });
    });
    const worker = await startWorker();
    await reached;
    expect(await worker.end('SIGKILL')).toBeNull();
  }
  const last = await startWorker();
  await until(async () =>
    (await itemCount(db)) === ITEMS && (await waitingCount(db)) === 0 ? true : null,
  );
  expect(await last.end('SIGTERM')).toBe(0);

  expect(await publicCount(db)).toBe(ITEMS);
  await expectConsistent(db);
  const unknown = await unknownReceipts(db, { now: Date.now() + 60_000, limit: 100 });
  expect(unknown.length).toBeGreaterThanOrEqual(1);
  // The server counted each request once, although workers died during requests.
  const counts = Map.groupBy(server.billed, ({ step, content }) => `${step} ${content}`);
  const twice = [...counts].filter(([, requests]) => requests.length > 1).map(([key]) => key);
  expect(twice.filter((key) => !key.startsWith('embed '))).toEqual([]);
  expect(counts.size).toBeGreaterThanOrEqual(ITEMS * 5);
});
