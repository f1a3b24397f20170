// Opens the radar's whole pipeline in one test process, with its own database, a manual clock and
// real fetches over loopback. It uses the real enricher, and a test can read its publication.

import { createEnrichmentDeps } from '../../src/jobs/start-worker.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import type { Editorial } from '../../src/radar/enrichment/editorial-files.ts';
import { enrichItems } from '../../src/radar/enrichment/enrich-items.ts';
import type { Enricher } from '../../src/radar/enrichment/enricher.ts';
import type { ModelEnricher } from '../../src/radar/enrichment/model/model-enricher.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import type { PublicItem } from '../../src/radar/publication/item.ts';
import type { Publication } from '../../src/radar/publication/open-publication.ts';
import { pageOf } from '../../src/radar/publication/read-model/page.ts';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { openArticlePool } from '../../src/radar/sources/article/extract-pool.ts';
import { fetchSource } from '../../src/radar/sources/fetch/fetch-source.ts';
import type { SourceDefinition } from '../../src/radar/sources/source-settings.ts';
import { atEnd } from './at-end.ts';
import { openTestDatabase } from './test-database.ts';
import { openTestPublication } from './test-publication.ts';
import { type TestWorld, testWorld } from './test-world.ts';

export type TestApp = TestWorld & {
  readonly db: Db;
  readonly publication: Publication;
  /** Adds a feed that may be fetched from loopback. */
  addFeed(id: string, url: string, overrides?: Partial<SourceDefinition>): Promise<void>;
  /** Fetches a source once and enriches its items. Afterwards the read model is current. */
  fetchAndEnrich(sourceId: string): Promise<Awaited<ReturnType<typeof fetchSource>>>;
  /** Waits until this node's read model shows all committed changes. */
  settle(): Promise<void>;
  /** The items of a mode (`all` when absent), newest first. */
  listItems(mode?: 'all' | 'selected'): readonly PublicItem[];
};

export type TestAppOptions = {
  /** Opens an enricher that uses a model. When absent, only rules enrich. */
  readonly openModelEnricher?: (deps: {
    readonly world: World;
    readonly db: Db;
    readonly editorial: Editorial;
    readonly enricher: Enricher;
  }) => Promise<ModelEnricher>;
};

export async function openTestApp(
  seed = 1,
  { openModelEnricher }: TestAppOptions = {},
): Promise<TestApp> {
  const test = testWorld(seed);
  const { world, robots, clock } = test;
  const { db } = await openTestDatabase();
  const editorial = await readEditorial('editorial');
  const enricher = openRuleBasedEnricher(editorial, { siteLanguage: 'en' });
  const modelEnricher = (await openModelEnricher?.({ world, db, editorial, enricher })) ?? null;
  const articles = openArticlePool(world);
  const enrichmentDeps = createEnrichmentDeps(world, db, {
    robots,
    enricher,
    modelEnricher,
    articles,
  });
  const publication = await openTestPublication(world, db);
  atEnd(async () => {
    await articles.close();
  });
  const settle = () => publication.catchUp();
  return {
    ...test,
    db,
    publication,
    settle,
    addFeed: async (id, url, overrides = {}) => {
      const host = new URL(url).host;
      const definition = {
        ...plainFeed,
        id,
        settings: { url },
        privateHosts: [host],
        ...overrides,
      };
      const added = await addSource(world, db, definition);
      if (added.kind !== 'added') throw new Error(JSON.stringify(added));
    },
    fetchAndEnrich: async (sourceId) => {
      const result = await fetchSource(world, db, robots, sourceId);
      const { signal } = new AbortController();
      await enrichItems(world, db, enrichmentDeps, { sourceId, signal });
      await settle();
      return result;
    },
    listItems: (mode = 'all') => {
      const query = { mode, category: null, by: 'timeline', window: '7d', q: null } as const;
      const page = pageOf(
        publication.readModel(),
        { ...query, limit: 10_000, anchor: null },
        clock.now(),
      );
      return page.kind === 'page' ? page.items : [];
    },
  };
}

const plainFeed = {
  kind: 'feed',
  name: 'The Ledger',
  owner: 'The Ledger',
  tier: 'T1',
  language: 'en',
  intervalMinutes: 30,
  participation: 'editorial',
} as const;
