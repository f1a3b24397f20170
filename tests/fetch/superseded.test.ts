// A slow worker never restores an older state, neither with an older document nor with the
// enrichment of an older text.
import { expect, test } from 'vitest';
import { enrichItems } from '../../src/radar/enrichment/enrich-items.ts';
import { openItemPublisher } from '../../src/radar/enrichment/publish-enriched.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import { itemTimelineAt } from '../../src/radar/publication/project-group.ts';
import { publishGroups } from '../../src/radar/publication/publish-groups.ts';
import { fetchSource } from '../../src/radar/sources/fetch/fetch-source.ts';
import { changeSourceStatus } from '../../src/radar/sources/set-status.ts';
import { readFetchState } from '../../src/store/radar/sources/fetch-states.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { listLatestFetches, newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();
const enricher = openRuleBasedEnricher(await readEditorial('editorial'), { siteLanguage: 'en' });
const { world, db, robots } = app;

/** Fetches a source and runs a function after the response has arrived. */
async function fetchSlowly(sourceId: string, duringFetch: () => Promise<unknown>) {
  const net = {
    ...world.net,
    request: async (request: Parameters<typeof world.net.request>[0]) => {
      const outcome = await world.net.request(request);
      await duringFetch();
      return outcome;
    },
  };
  await fetchSource({ ...world, net }, db, robots, sourceId);
}

const titles = () => app.listItems().map((item) => item.title);

test('discards an older document that arrives late', async () => {
  const [oldEntry, editedEntry] = [
    newsOf(site, 'Orrin 1'),
    newsOf(site, 'Orrin 1', { title: 'Orrin 1, corrected by its makers' }),
  ];
  site.respond('/feed', { headers: { etag: '"1"' }, body: rssOf('Feed', [oldEntry]) });
  await app.addFeed('feed', `${site.url}/feed`);
  await app.fetchAndEnrich('feed');
  app.clock.advance(1_000);
  const lateVersion = { ...oldEntry, text: `${oldEntry.text} Soon.` };
  site.respond('/feed', { headers: { etag: '"2"' }, body: rssOf('Feed', [lateVersion]) });
  await fetchSlowly('feed', async () => {
    site.respond('/feed', { headers: { etag: '"3"' }, body: rssOf('Feed', [editedEntry]) });
    app.clock.advance(1_000);
    await app.fetchAndEnrich('feed');
  });
  expect(await readFetchState(db, 'feed')).toMatchObject({ etag: '"3"' });
  const [, lateAttempt] = await listLatestFetches(db, 'feed', 2);
  expect(lateAttempt).toMatchObject({
    outcome: 'unchanged',
    changed: 0,
    message: 'another fetch stored newer entries first',
  });
  await app.fetchAndEnrich('feed');
  expect(titles()).toEqual([editedEntry.title]);
});

test('discards a fetch that ends while its source is paused', async () => {
  site.respond('/pausing', { body: rssOf('Feed', [newsOf(site, 'Orrin 2')]) });
  await app.addFeed('pausing', `${site.url}/pausing`);
  await fetchSlowly('pausing', () => changeSourceStatus(world, db, 'pausing', 'paused'));
  const [lateAttempt] = await listLatestFetches(db, 'pausing', 1);
  expect(lateAttempt).toMatchObject({
    outcome: 'unchanged',
    created: 0,
    message: 'the source was stopped during the fetch',
  });
});

test('an enrichment of an older text does not replace the enrichment of a newer text', async () => {
  const entry = newsOf(site, 'Orrin 3');
  const title = 'Orrin 3 is withdrawn by its makers after a week';
  site.respond('/enriched', { body: rssOf('Feed', [entry]) });
  await app.addFeed('enriched', `${site.url}/enriched`);
  await fetchSource(world, db, robots, 'enriched');
  const { signal } = new AbortController();
  let isEdited = false;
  await enrichItems(
    world,
    db,
    {
      enricher,
      fetchArticle: async () => {
        if (isEdited) return null;
        isEdited = true;
        site.respond('/enriched', { body: rssOf('Feed', [{ ...entry, title }]) });
        await app.fetchAndEnrich('enriched');
        return null;
      },
      publisher: openItemPublisher(world, db, {
        timelineAt: itemTimelineAt,
        publish: publishGroups,
      }),
    },
    { sourceId: 'enriched', signal },
  );
  await app.settle();
  expect(titles()).toContain(title);
  expect(titles()).not.toContain(entry.title);
});
