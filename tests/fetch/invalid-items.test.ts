// One item that cannot be enriched and one that cannot be stored do not delay other items. Both are
// retried in the next round.
import { expect, test } from 'vitest';
import { enrichItems } from '../../src/radar/enrichment/enrich-items.ts';
import { openItemPublisher } from '../../src/radar/enrichment/publish-enriched.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import { itemTimelineAt } from '../../src/radar/publication/project-group.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { fetchSource } from '../../src/radar/sources/fetch/fetch-source.ts';
import { listSourcesAwaitingEnrichment } from '../../src/store/radar/sources/items.ts';
import { waitingItemCount } from '../support/expect-consistent-tables.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();
const enricher = openRuleBasedEnricher(await readEditorial('editorial'), { siteLanguage: 'en' });

test('ingests the valid items beside two invalid ones', async () => {
  const { world, db, robots } = app;
  const entries = Array.from({ length: 30 }, (_, index) => newsOf(site, `Orrin ${index}`));
  site.respond('/feed', { body: rssOf('Feed', entries) });
  await app.addFeed('feed', `${site.url}/feed`);
  await fetchSource(world, db, robots, 'feed');
  const deps = (hasFaults: boolean) => ({
    enricher: {
      version: enricher.version,
      enrich: (input: Parameters<typeof enricher.enrich>[0]) => {
        if (hasFaults && input.title.includes('Orrin 7,')) throw new RangeError('too deep');
        return enricher.enrich(input);
      },
    },
    // A text that PostgreSQL refuses.
    fetchArticle: async ({ title }: { readonly title: string }) =>
      hasFaults && title.includes('Orrin 11,') ? 'half\0text' : null,
    publisher: openItemPublisher(world, db, {
      timelineAt: itemTimelineAt,
      publish: publishGroups,
    }),
  });
  const { signal } = new AbortController();
  const options = { sourceId: 'feed', signal };
  expect(await enrichItems(world, db, deps(true), options)).toBe(28);
  await app.settle();
  expect(app.listItems()).toHaveLength(28);
  expect(await waitingItemCount(db)).toBe(2);
  expect(await listSourcesAwaitingEnrichment(db)).toEqual(['feed']);
  const errors = app.logged.filter((line) => line.includes('"level":"error"'));
  expect(errors).toHaveLength(2);
  expect(await enrichItems(world, db, deps(false), options)).toBe(2);
  await app.settle();
  expect(app.listItems()).toHaveLength(30);
});
