// The pipeline with a model: valid replies are used, invalid ones are recorded, and each request is
// paid once. A changed prompt applies to new items; old items are re-enriched on request.
import { expect, test } from 'vitest';
import { openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { countPendingItems, reEnrichItems } from '../../src/radar/enrichment/re-enrich-items.ts';
import { readEditedItem } from '../../src/radar/publication/operator-items.ts';
import { findEnrichment } from '../../src/store/radar/sources/item-enrichments.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { openModelApp } from '../support/model-services.ts';
import { newsOf } from '../support/news.ts';

const server = await openModelServer({});
const app = await openModelApp(server.url);
const site = await openLoopbackSite();

async function publishEntry(name: string) {
  site.respond(`/feeds/${name}`, {
    headers: { 'content-type': 'application/rss+xml' },
    body: rssOf('Feed', [newsOf(site, name)]),
  });
  await app.addFeed(name, `${site.url}/feeds/${name}`);
  await app.fetchAndEnrich(name);
  const item = app
    .listItems('all')
    .find(({ originalUrl }) => originalUrl === `${site.url}/${name}`);
  if (item === undefined) throw new Error(`${name} is not public`);
  return { item, enrichment: await findEnrichment(app.db, item.id) };
}

const stepsOf = (enrichment: Awaited<ReturnType<typeof publishEntry>>['enrichment']) =>
  (
    enrichment?.model_record as {
      steps: { prompt: string; by: string; why?: string; detail?: string }[];
    } | null
  )?.steps ?? [];

test("publishes the model's texts within the limits and records each step", async () => {
  const { item, enrichment } = await publishEntry('atlas');
  expect(item.title.length).toBeLessThanOrEqual(110);
  expect(item.summary?.length).toBeLessThanOrEqual(280);
  expect(stepsOf(enrichment).map((step) => `${step.prompt}: ${step.detail ?? step.by}`)).toEqual([
    'prefilter: model',
    'score: model',
    'score-again: model',
    'sort: model',
    'write: model',
    'facts: model',
  ]);
  expect(item).toMatchObject({ summaryBy: 'model', language: 'en', selected: true });
  expect(enrichment?.desk_version).toMatch(/^model-[0-9a-f]{12}\+rules-/);
  expect(enrichment?.model_record).toMatchObject({
    scores: [expect.any(Number), expect.any(Number)],
    steps: expect.arrayContaining([
      {
        prompt: 'write',
        version: expect.stringMatching(/^[0-9a-f]{12}$/),
        by: 'model',
        model: 'demo-editor',
        receipt: expect.any(String),
      },
    ]),
  });
});

test.each([
  ['other-shape', 'refused'],
  ['not-json', 'refused'],
  ['length', 'refused'],
] as const)(
  'falls back to the rules for a server that replies "%s", with the reason recorded',
  async (fault, reason) => {
    server.setFault(fault);
    const { item, enrichment } = await publishEntry(`orrin-${fault}`);
    server.setFault(null);
    expect(item).toMatchObject({ summaryBy: 'rules', category: 'ai-models' });
    expect(item.title).toMatch(/^Halden Labs releases orrin-.*, a 70B open-weights language/);
    expect(new Set(stepsOf(enrichment).map((step) => step.why))).toEqual(new Set([reason]));
    const editedItem = await readEditedItem(app.db, item.id);
    expect(editedItem?.enrichment?.model?.steps.every(({ by }) => by === 'rules')).toBe(true);
  },
);

test('re-enriches old items on request without paying twice', async () => {
  const { world, db } = app;
  const { item, enrichment } = await publishEntry('kestrel');
  const requestCount = server.billed.length;
  const pendingIds = await reEnrichItems(world, db, {
    ids: [item.id],
    since: null,
    isMarked: false,
  });
  expect(pendingIds).toEqual([item.id]);
  expect(await countPendingItems(db, [item.id])).toBe(1);
  await app.fetchAndEnrich('kestrel');
  expect(await countPendingItems(db, [item.id])).toBe(0);
  expect(server.billed.length).toBe(requestCount);
  const repeatedEnrichment = await findEnrichment(db, item.id);
  expect({ ...repeatedEnrichment, judged_at: 0 }).toEqual({ ...enrichment, judged_at: 0 });
});

test('re-enriches only items whose model requests failed', async () => {
  const { world, db } = app;
  const markedIds = await reEnrichItems(world, db, { ids: null, since: null, isMarked: true });
  expect(markedIds).toHaveLength(3);
  for (const name of ['orrin-other-shape', 'orrin-not-json', 'orrin-length'])
    await app.fetchAndEnrich(name);
  expect(await countPendingItems(db, markedIds)).toBe(0);
});
