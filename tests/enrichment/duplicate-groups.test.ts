// The same news from several sources: all items are listed and one is selected. A first party's
// item replaces an earlier item of a lower tier.
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import type { SourceDefinition } from '../../src/radar/sources/source-settings.ts';
import { type FeedEntry, openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf, selectedChangeLines } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();

/** Adds a source that publishes `entry` and fetches it. */
async function ingest(id: string, tier: SourceDefinition['tier'], entry: FeedEntry) {
  app.clock.advance(MINUTE_MS);
  site.respond(`/${id}`, { body: rssOf(id, []) });
  await app.addFeed(id, `${site.url}/${id}`, { name: id, owner: id, tier });
  await app.fetchAndEnrich(id);
  site.respond(`/${id}`, { body: rssOf(id, [entry]) });
  await app.fetchAndEnrich(id);
}

const listedFrom = (...sources: string[]) =>
  app.listItems().filter((item) => sources.includes(item.sourceName));
const selectedSources = (...sources: string[]) =>
  listedFrom(...sources).flatMap((item) => (item.selected ? item.sourceName : []));
const itemOf = (source: string) => listedFrom(source)[0];

const otherTitle = 'A leading lab shows a rival to the largest systems, says its chief scientist';

test('items with the same canonical address form one group with one selected item', async () => {
  const entry = newsOf(site, 'Orrin 5');
  await ingest('address-a', 'T1', entry);
  const link = `${entry.link}/?utm_campaign=x#comments`;
  await ingest('address-b', 'T1', { ...entry, id: 'b', link, title: `${otherTitle}, Orrin 5` });
  expect(listedFrom('address-a', 'address-b')).toHaveLength(2);
  expect(selectedSources('address-a', 'address-b')).toEqual(['address-a']);
});

test('equal titles form one group within three days, but not after a week', async () => {
  const entry = newsOf(site, 'Orrin 6', { at: app.clock.now() });
  await ingest('title-a', 'T1', entry);
  const repeatedEntry = { ...entry, text: `In short: ${entry.title}.` };
  const nearDuplicate = {
    ...repeatedEntry,
    id: 'near',
    link: `${site.url}/near`,
    at: entry.at + 71 * HOUR_MS,
  };
  app.clock.set(nearDuplicate.at);
  await ingest('title-b', 'T1', {
    ...nearDuplicate,
    title: `${entry.title.toUpperCase()} – Title B`,
  });
  expect(selectedSources('title-a', 'title-b')).toEqual(['title-a']);
  const distantEntry = {
    ...repeatedEntry,
    id: 'far',
    link: `${site.url}/far`,
    at: entry.at + 145 * HOUR_MS,
  };
  app.clock.set(distantEntry.at);
  await ingest('title-c', 'T1', distantEntry);
  expect(selectedSources('title-a', 'title-b', 'title-c')).toEqual(['title-c', 'title-a']);
});

/** Fourteen sentences that differ in their numbers only. */
const body = (name: string) =>
  Array.from(
    { length: 14 },
    (_, index) =>
      `Halden Labs measured ${name} on test ${index * 7} and found ${index * 13} percent.`,
  ).join(' ');

test('nearly identical bodies under different titles form one group', async () => {
  const entry = newsOf(site, 'Orrin 7', { text: `${newsOf(site, 'Orrin 7').text} ${body('it')}` });
  await ingest('body-a', 'T1', entry);
  const copy = { ...entry, id: 'copy', link: `${site.url}/copy`, title: `${otherTitle}: Orrin 7` };
  await ingest('body-b', 'T1', { ...copy, text: `${entry.text} Reporting by others.` });
  expect(selectedSources('body-a', 'body-b')).toEqual(['body-a']);
  const differentEntry = {
    ...copy,
    id: 'unlike',
    link: `${site.url}/unlike`,
    title: `${otherTitle}: Orrin 8`,
  };
  await ingest('body-c', 'T1', { ...differentEntry, text: newsOf(site, 'Orrin 8').text });
  expect(selectedSources('body-a', 'body-b', 'body-c')).toContain('body-c');
});

test('a first party becomes the selected item and keeps the first appearance', async () => {
  const entry = newsOf(site, 'Orrin 9', { at: app.clock.now() });
  await ingest('press', 'T1_5', entry);
  const pressItem = itemOf('press');
  expect(pressItem).toMatchObject({ selected: true, timelineAt: app.clock.now() });
  const changesBefore = await selectedChangeLines(app.db);
  app.clock.advance(2 * HOUR_MS);
  await ingest('maker', 'T1', { ...entry, id: 'own' });
  const firstPartyItem = itemOf('maker');
  expect(firstPartyItem).toMatchObject({ selected: true, timelineAt: pressItem?.timelineAt });
  expect(itemOf('press')).toMatchObject({ selected: false, timelineAt: pressItem?.timelineAt });
  const laterChanges = (await selectedChangeLines(app.db)).slice(changesBefore.length);
  expect(laterChanges).toHaveLength(2);
  expect(laterChanges).toEqual(
    expect.arrayContaining([
      [pressItem?.id, 'remove'],
      [firstPartyItem?.id, entry.title],
    ]),
  );
});

test('a later item of the same tier does not replace the selected item', async () => {
  const entry = newsOf(site, 'Orrin 10');
  await ingest('early', 'T1', entry);
  const changesBefore = await selectedChangeLines(app.db);
  await ingest('late', 'T1', { ...entry, id: 'late' });
  expect(selectedSources('early', 'late')).toEqual(['early']);
  expect(await selectedChangeLines(app.db)).toEqual(changesBefore);
});
