// A thousand items per hour against a model with two seconds of latency, through the real enricher,
// within the server's rate limit. The clocks run ten times faster than real time, so local work
// counts ten times.
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { openModelServices } from '../../src/app/serve/open-model-writers.ts';
import { createEnrichmentDeps } from '../../src/jobs/start-worker.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openRobots } from '../../src/kernel/net/robots.ts';
import { enrichItems } from '../../src/radar/enrichment/enrich-items.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { openModel } from '../../src/radar/model/open-model.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { openArticlePool } from '../../src/radar/sources/article/extract-pool.ts';
import { fetchSource } from '../../src/radar/sources/fetch/fetch-source.ts';
import { databasePacedClock } from '../support/database-paced-clock.ts';
import { publicItemCount, waitingItemCount } from '../support/expect-consistent-tables.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { TEST_NOW, testWorld } from '../support/test-world.ts';

const SPEED = 10;
const ITEMS = 60;
const PER_HOUR = 1_000;

const { db } = await openTestDatabase();
const clock = databasePacedClock(TEST_NOW, db);
const net = openNet({
  clock,
  privateHosts: ['127.0.0.1'],
  politenessMs: 0,
  userAgent: 'ContentRadar/test',
});
const world = { ...testWorld().world, clock, net };
const site = await openLoopbackSite();
const server = await openModelServer({ clock, latencyMs: 2_000, requestsPerMinute: 300 });
const editorial = await readEditorial('editorial');
const articles = openArticlePool(world);
const models = { 'demo-editor': { requestsPerMinute: 280, concurrency: 16 } };
const model = openModel(world, db, {
  settings: {
    url: server.url,
    key: modelKey,
    name: 'demo-editor',
    embeddingModel: null,
    file: modelSchema.parse({ models }),
  },
});
afterAll(async () => {
  await articles.close();
  await net.close();
  await server.close();
});

test('enriches a thousand items per hour, none refused, repeated or left over', async () => {
  const enricher = openRuleBasedEnricher(editorial, { siteLanguage: 'en' });
  const config = { file: { editorial: 'editorial' }, language: 'en' as const };
  const { enricher: modelEnricher } = await openModelServices(config, {
    editorial,
    enricher,
    requestModel: model.requestModel,
  });
  const robots = openRobots(net, clock, 'ContentRadar/test');
  const enrichmentDeps = createEnrichmentDeps(world, db, {
    robots,
    enricher,
    modelEnricher,
    articles,
  });
  const entries = Array.from({ length: ITEMS }, (_, index) => {
    const entry = newsOf(site, `Orrin ${index}`, { at: TEST_NOW - index * 60_000 });
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
  await fetchSource(world, db, robots, 'feed');

  clock.run(SPEED);
  const startedAt = clock.now();
  const { signal } = new AbortController();
  const enrichedCount = await enrichItems(world, db, enrichmentDeps, { sourceId: 'feed', signal });
  const hours = (clock.now() - startedAt) / 3_600_000;

  expect(enrichedCount).toBe(ITEMS);
  expect([await publicItemCount(db), await waitingItemCount(db)]).toEqual([ITEMS, 0]);
  expect(server.refusedCount()).toBe(0);
  const questions = new Set(server.billed.map(({ step, content }) => `${step} ${content}`));
  expect(server.billed.length).toBe(questions.size);
  expect(server.billed.length).toBeGreaterThanOrEqual(ITEMS * 6);
  expect(ITEMS / hours).toBeGreaterThanOrEqual(PER_HOUR);
});
