// A new entry becomes public once, an edit replaces it, and an unchanged entry writes nothing.
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { readPublicationHead } from '../../src/store/radar/publication/publication-head.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { listLatestFetches, newsOf, selectedChangeLines } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();

/** Adds a feed with an address of its own. */
async function openFeed(id: string, name = id) {
  const path = `/${id}.xml`;
  await app.addFeed(id, `${site.url}${path}`, { name, owner: name });
  return {
    publish: (entries: Parameters<typeof rssOf>[1]) =>
      site.respond(path, { body: rssOf(name, entries) }),
    read: async () => {
      await app.fetchAndEnrich(id);
      app.clock.advance(MINUTE_MS);
    },
    listItems: () => app.listItems().filter((item) => item.sourceName === name),
    lastAttempt: async () => (await listLatestFetches(app.db, id, 1))[0],
  };
}

const readHead = async () => (await readPublicationHead(app.world, app.db)).seq;

test('publishes new entries, newest first, with the source’s content', async () => {
  const feed = await openFeed('first');
  const olderEntry = newsOf(site, 'Orrin 1', { at: app.clock.now() - 2 * HOUR_MS });
  feed.publish([newsOf(site, 'Orrin 2'), olderEntry]);
  await feed.read();
  expect(await feed.lastAttempt()).toEqual({
    outcome: 'read',
    status: 200,
    entries: 2,
    created: 2,
    changed: 0,
    message: null,
  });
  const listedItems = feed.listItems().map((item) => ({
    title: item.title,
    originalUrl: item.originalUrl,
    publishedAt: item.publishedAt,
    discoveredAt: item.discoveredAt,
    selected: item.selected,
  }));
  const discoveredAt = app.clock.now() - MINUTE_MS;
  expect(listedItems).toEqual(
    [newsOf(site, 'Orrin 2'), olderEntry].map((entry) => ({
      title: entry.title,
      originalUrl: encodeURI(entry.link),
      publishedAt: entry.at,
      discoveredAt,
      selected: true,
    })),
  );
});

test('an entry that appears later has its discovery time', async () => {
  const feed = await openFeed('later');
  const firstEntry = newsOf(site, 'Tessel 1');
  feed.publish([firstEntry]);
  await feed.read();
  app.clock.advance(HOUR_MS);
  const secondEntry = newsOf(site, 'Tessel 2', { at: app.clock.now() - 10 * 60_000 });
  feed.publish([secondEntry, firstEntry]);
  const foundAt = app.clock.now();
  await feed.read();
  expect(feed.listItems().map((item) => [item.title, item.timelineAt])).toEqual([
    [secondEntry.title, foundAt],
    [firstEntry.title, firstEntry.at],
  ]);
});

test('an edit makes one revision, one selected change and one version', async () => {
  const feed = await openFeed('edits');
  const entry = newsOf(site, 'Marrow 4');
  feed.publish([entry]);
  await feed.read();
  const [itemBefore] = feed.listItems();
  const [head, changeLines] = [await readHead(), await selectedChangeLines(app.db)];
  const title = entry.title.replace('1M-token', '2M-token');
  feed.publish([{ ...entry, title }]);
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ outcome: 'read', created: 0, changed: 1 });
  const [itemAfter, ...otherItems] = feed.listItems();
  expect(otherItems).toEqual([]);
  expect(itemAfter).toMatchObject({
    id: itemBefore?.id,
    title,
    discoveredAt: itemBefore?.discoveredAt,
  });
  expect(await readHead()).toBe(head + 1);
  expect(await selectedChangeLines(app.db)).toEqual([...changeLines, [itemBefore?.id, title]]);
  expect(app.publication.readModel().version).toBe(head + 1);
});

test('entries in another order or with markup write nothing', async () => {
  const feed = await openFeed('again');
  const [firstEntry, secondEntry] = [newsOf(site, 'Calder 1'), newsOf(site, 'Calder 2')];
  feed.publish([firstEntry, secondEntry]);
  await feed.read();
  const [head, listedItems] = [await readHead(), feed.listItems()];
  app.clock.advance(HOUR_MS);
  feed.publish([secondEntry, { ...firstEntry, text: `<p>${firstEntry.text}</p>` }]);
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ outcome: 'read', created: 0, changed: 0 });
  expect(await readHead()).toBe(head);
  expect(feed.listItems()).toEqual(listedItems);
});

test('an entry with a new id and a later date keeps its item and its first date', async () => {
  const feed = await openFeed('renamed');
  const entry = newsOf(site, 'Ilex 9');
  feed.publish([entry]);
  await feed.read();
  const [head, listedItems] = [await readHead(), feed.listItems()];
  app.clock.advance(HOUR_MS);
  const link = `${entry.link}?utm_source=feed#top`;
  feed.publish([{ ...entry, id: 'tag:site.example,2026:77', link, at: app.clock.now() }]);
  await feed.read();
  feed.publish([{ ...entry, id: 'yet-another-id', at: app.clock.now() }]);
  await feed.read();
  expect(feed.listItems()).toEqual(listedItems);
  expect(await readHead()).toBe(head);
});

test('an entry with a new address and a new id keeps its item', async () => {
  const feed = await openFeed('moved');
  const entry = newsOf(site, 'Alder 1');
  feed.publish([entry, newsOf(site, 'Alder 2')]);
  await feed.read();
  const idsBefore = feed.listItems().map((item) => item.id);
  const link = `${site.url}/news/2026/alder-1`;
  feed.publish([{ ...entry, id: link, link }, newsOf(site, 'Alder 2')]);
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ created: 0, changed: 1 });
  expect(feed.listItems().map((item) => item.id)).toEqual(idsBefore);
  expect(feed.listItems().map((item) => item.originalUrl)).toContain(link);
});

test('a notice with the same words a week later is another item', async () => {
  const feed = await openFeed('weekly');
  const firstEntry = newsOf(site, 'Aspen 1', { at: app.clock.now() - 8 * 24 * HOUR_MS });
  feed.publish([firstEntry]);
  await feed.read();
  const link = `${site.url}/aspen-again`;
  feed.publish([{ ...firstEntry, id: link, link, at: app.clock.now() - HOUR_MS }]);
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ created: 1, changed: 0 });
});

test('two pages with the same text in one document are two items', async () => {
  const feed = await openFeed('pages');
  const entry = newsOf(site, 'Acacia 1');
  feed.publish([entry]);
  await feed.read();
  const link = `${site.url}/acacia-copy`;
  feed.publish([entry, { ...entry, id: link, link }]);
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ created: 1, changed: 0 });
});

test('entries without addresses are distinguished by content, also under new ids', async () => {
  const feed = await openFeed('notes');
  const note = (id: string, text: string) =>
    `<item><guid isPermaLink="false">${id}</guid><title>Note</title>` +
    `<description>${text}</description></item>`;
  const notes = (...items: string[]) =>
    site.respond('/notes.xml', {
      body: `<rss version="2.0"><channel><title>Notes</title>${items.join('')}</channel></rss>`,
    });
  notes(note('a', 'The first of two notes.'), note('b', 'The second of two notes.'));
  await feed.read();
  expect(feed.listItems()).toHaveLength(2);
  notes(note('c', 'The first of two notes.'), note('b', 'The second of two notes, longer.'));
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ created: 0, changed: 1 });
  expect(feed.listItems()).toHaveLength(2);
});

test('a feed that repeats an entry under two ids gives one item', async () => {
  const feed = await openFeed('twice');
  const entry = newsOf(site, 'Larch 1');
  feed.publish([entry, { ...entry, id: 'twin' }]);
  await feed.read();
  feed.publish([{ ...entry, id: 'twin' }, newsOf(site, 'Larch 2'), entry]);
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ created: 1, changed: 0 });
  expect(feed.listItems()).toHaveLength(2);
});

test('a feed with one address for all entries gives separate items', async () => {
  const feed = await openFeed('changes');
  const link = `${site.url}/changelog`;
  feed.publish([newsOf(site, 'Sorrel 1', { link }), newsOf(site, 'Sorrel 2', { link })]);
  await feed.read();
  feed.publish([
    newsOf(site, 'Sorrel 3', { link }),
    newsOf(site, 'Sorrel 1', { link }),
    newsOf(site, 'Sorrel 2', { link }),
  ]);
  await feed.read();
  expect(await feed.lastAttempt()).toMatchObject({ created: 1, changed: 0 });
  expect(feed.listItems().map((item) => item.selected)).toEqual([true, true, true]);
});
