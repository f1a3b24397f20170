// Model requests hold no database connection. All work continues with a pool of three connections,
// of which the worker keeps two. A reply during a database outage is stored afterwards.
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { openModelServices } from '../../src/app/serve/open-model-writers.ts';
import { openStoryAdvice } from '../../src/app/serve/open-story-advice.ts';
import { createEnrichmentDeps } from '../../src/jobs/start-worker.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { enrichItems } from '../../src/radar/enrichment/enrich-items.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { openModel } from '../../src/radar/model/open-model.ts';
import { rewriteDigests } from '../../src/radar/publication/documents/rewrite-digests.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { openArticlePool } from '../../src/radar/sources/article/extract-pool.ts';
import { fetchSource } from '../../src/radar/sources/fetch/fetch-source.ts';
import { openStoryService } from '../../src/radar/stories/sync/story-service.ts';
import { backgroundDb, closeDb, openDb } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { runStatement } from '../support/database-server.ts';
import { publicItemCount, waitingItemCount } from '../support/expect-consistent-tables.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import { scoreOf } from './test-model.ts';

const { world, robots } = testWorld();
const { connection } = await openTestDatabase();
const openConnection = (maxConnections: number) =>
  openDb(world.log, connection, {
    applicationName: 'radar test',
    maxConnections,
    ...slowConnectOptions,
  });
const sharedDb = openConnection(3);
const db = backgroundDb(sharedDb, 2);
const site = await openLoopbackSite();
const server = await openModelServer({ latencyMs: 20 });
const articles = openArticlePool(world);
const settings = {
  url: server.url,
  key: modelKey,
  name: 'demo-editor',
  embeddingModel: 'demo-vectors',
  file: modelSchema.parse({}),
};
const model = openModel(world, db, { settings });
afterAll(async () => {
  await articles.close();
  await server.close();
  await closeDb(sharedDb);
});

const config = { file: { editorial: 'editorial' }, language: 'en' as const };

/** Fails (division by zero) while a connection is in a transaction or holds a session lock. */
const idleCheckQuery = `SELECT 1 / (count(*) = 0)::int FROM pg_stat_activity a
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND (xact_start IS NOT NULL
    OR EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND locktype = 'advisory'))`;
const isIdle = () =>
  runStatement(connection, idleCheckQuery).then(
    () => true as const,
    () => null,
  );

/** Blocks the first request of each step until no connection is in a transaction. */
function holdEachStep(): ReadonlySet<string> {
  const steps = new Set<string>();
  server.onRequest(async ({ step }) => {
    if (steps.has(step)) return;
    steps.add(step);
    await until(isIdle);
  });
  return steps;
}

async function addFeed(id: string, names: readonly string[]): Promise<void> {
  const entries = names.map((name, index) => {
    const entry = newsOf(site, name, { at: TEST_NOW - index * 60_000 });
    return {
      ...entry,
      text: `${entry.text} ${name} runs on ${index + 7} of its machines. `.repeat(4),
    };
  });
  site.respond(`/${id}`, { body: rssOf(id, entries) });
  await addSource(world, db, {
    id,
    kind: 'feed',
    name: id,
    owner: id,
    tier: 'T1',
    language: 'en',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: { url: `${site.url}/${id}` },
    privateHosts: [site.host],
  });
  await fetchSource(world, db, robots, id);
}

const readRepeatedly = async (signal: AbortSignal, from: Db): Promise<number> => {
  let readCount = 0;
  for (; !signal.aborted; readCount += 1) {
    await publicItemCount(from);
    await runningClock().sleep(20);
  }
  return readCount;
};

test('with three connections every step completes and all work continues', async () => {
  const editorial = await readEditorial('editorial');
  const enricher = openRuleBasedEnricher(editorial, { siteLanguage: 'en' });
  const services = await openModelServices(config, {
    editorial,
    enricher,
    requestModel: model.requestModel,
  });
  const enrichmentDeps = createEnrichmentDeps(world, db, {
    robots,
    enricher,
    modelEnricher: services.enricher,
    articles,
  });
  const openAdviser = await openStoryAdvice(config, { world, db, model });
  const stories = openStoryService(world, db, { editorial: 'editorial', openAdviser });
  const feeds = ['one', 'two', 'three', 'four'];
  for (const id of feeds) await addFeed(id, ['Orrin', 'Tessel', 'Lumen']);
  const steps = holdEachStep();
  const abortController = new AbortController();
  const { signal } = abortController;
  const reading = readRepeatedly(signal, sharedDb);

  const enrichedCounts = await Promise.all(
    feeds.map((sourceId) => enrichItems(world, db, enrichmentDeps, { sourceId, signal })),
  );
  await stories.assign(signal);
  await rewriteDigests(world, db, services.digests, signal);
  abortController.abort();

  expect(enrichedCounts).toEqual([3, 3, 3, 3]);
  expect([await publicItemCount(sharedDb), await waitingItemCount(sharedDb)]).toEqual([12, 0]);
  expect([...steps].sort()).toEqual([
    'digest',
    'embed',
    'facts',
    'prefilter',
    'score',
    'sort',
    'write',
  ]);
  expect(await reading).toBeGreaterThan(10);
  await stories.close();
});

test('a reply during a database outage is stored and paid once', async () => {
  const name = 'database' in connection ? connection.database : '';
  const target = 'database' in connection ? { ...connection, database: 'postgres' } : connection;
  const setDatabaseOpen = (isOpen: boolean) =>
    runStatement(target, `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isOpen}`);
  const realTimeWorld = { ...world, clock: runningClock() };
  server.onRequest(async () => {
    server.onRequest(null);
    await setDatabaseOpen(false);
    await runStatement(
      target,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    void realTimeWorld.clock.sleep(300).then(() => setDatabaseOpen(true));
  });
  const requestsBefore = server.requests.length;
  const firstReply = await model.requestModel(realTimeWorld, scoreOf('while it is away'));
  expect(firstReply).toMatchObject({ kind: 'answered' });
  expect(await model.requestModel(realTimeWorld, scoreOf('while it is away'))).toEqual(firstReply);
  expect(server.requests.length - requestsBefore).toBe(1);
});
