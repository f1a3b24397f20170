// The same news from several sources: all items are listed and one is selected. A first party
// replaces an earlier item of lower rank.
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import type { SourceDefinition } from '../../src/radar/sources/source-settings.ts';
import { type FeedEntry, openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { ledgerLines, newsOf } from '../support/news.ts';
import { openTestHouse } from '../support/test-radar.ts';

const house = await openTestHouse();
const site = await openLoopbackSite();

/** Adds a source that publishes `entry` and fetches it. */
async function hear(id: string, tier: SourceDefinition['tier'], entry: FeedEntry) {
  house.clock.advance(MINUTE_MS);
  site.answer(`/${id}`, { body: rssOf(id, []) });
  await house.addFeed(id, `${site.url}/${id}`, { name: id, owner: id, tier });
  await house.read(id);
  site.answer(`/${id}`, { body: rssOf(id, [entry]) });
  await house.read(id);
}

const listed = (...sources: string[]) =>
  house.listed().filter((item) => sources.includes(item.sourceName));
const seats = (...sources: string[]) =>
  listed(...sources).flatMap((item) => (item.selected ? item.sourceName : []));
const itemOf = (source: string) => listed(source)[0];

const other = 'A leading lab shows a rival to the largest systems, says its chief scientist';

test('items with the same canonical address form one group with one selected item', async () => {
  const entry = newsOf(site, 'Orrin 5');
  await hear('address-a', 'T1', entry);
  const link = `${entry.link}/?utm_campaign=x#comments`;
  await hear('address-b', 'T1', { ...entry, id: 'b', link, title: `${other}, Orrin 5` });
  expect(listed('address-a', 'address-b')).toHaveLength(2);
  expect(seats('address-a', 'address-b')).toEqual(['address-a']);
});

test('equal titles within three days form one group; a week apart they do not', async () => {
  const entry = newsOf(site, 'Orrin 6', { at: house.clock.now() });
  await hear('title-a', 'T1', entry);
  const again = { ...entry, text: `In short: ${entry.title}.` };
  const near = { ...again, id: 'near', link: `${site.url}/near`, at: entry.at + 71 * HOUR_MS };
  house.clock.set(near.at);
  await hear('title-b', 'T1', { ...near, title: `${entry.title.toUpperCase()} – Title B` });
  expect(seats('title-a', 'title-b')).toEqual(['title-a']);
  const far = { ...again, id: 'far', link: `${site.url}/far`, at: entry.at + 145 * HOUR_MS };
  house.clock.set(far.at);
  await hear('title-c', 'T1', far);
  expect(seats('title-a', 'title-b', 'title-c')).toEqual(['title-c', 'title-a']);
});

/** About a hundred words, each slightly different from the previous one. */
const body = (name: string) =>
  Array.from(
    { length: 14 },
    (_, i) => `Halden Labs measured ${name} on test ${i * 7} and found ${i * 13} percent.`,
  ).join(' ');

test('nearly identical bodies under different titles form one group', async () => {
  const entry = newsOf(site, 'Orrin 7', { text: `${newsOf(site, 'Orrin 7').text} ${body('it')}` });
  await hear('body-a', 'T1', entry);
  const copy = { ...entry, id: 'copy', link: `${site.url}/copy`, title: `${other}: Orrin 7` };
  await hear('body-b', 'T1', { ...copy, text: `${entry.text} Reporting by others.` });
  expect(seats('body-a', 'body-b')).toEqual(['body-a']);
  const unlike = { ...copy, id: 'unlike', link: `${site.url}/unlike`, title: `${other}: Orrin 8` };
  await hear('body-c', 'T1', { ...unlike, text: newsOf(site, 'Orrin 8').text });
  expect(seats('body-a', 'body-b', 'body-c')).toContain('body-c');
});

test('a first party becomes the selected item and keeps the first appearance', async () => {
  const entry = newsOf(site, 'Orrin 9', { at: house.clock.now() });
  await hear('press', 'T1_5', entry);
  const press = itemOf('press');
  expect(press).toMatchObject({ selected: true, timelineAt: house.clock.now() });
  const ledger = await ledgerLines(house.db);
  house.clock.advance(2 * HOUR_MS);
  await hear('maker', 'T1', { ...entry, id: 'own' });
  const maker = itemOf('maker');
  expect(maker).toMatchObject({ selected: true, timelineAt: press?.timelineAt });
  expect(itemOf('press')).toMatchObject({ selected: false, timelineAt: press?.timelineAt });
  const moved = (await ledgerLines(house.db)).slice(ledger.length);
  expect(moved).toHaveLength(2);
  expect(moved).toEqual(
    expect.arrayContaining([
      [press?.id, 'remove'],
      [maker?.id, entry.title],
    ]),
  );
});

test('a later item of the same rank replaces nothing', async () => {
  const entry = newsOf(site, 'Orrin 10');
  await hear('early', 'T1', entry);
  const ledger = await ledgerLines(house.db);
  await hear('late', 'T1', { ...entry, id: 'late' });
  expect(seats('early', 'late')).toEqual(['early']);
  expect(await ledgerLines(house.db)).toEqual(ledger);
});
