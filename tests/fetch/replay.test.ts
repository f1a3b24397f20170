// One feed through hundreds of versions: entries are added, edited, reordered, truncated and
// restored, ids and dates change, documents are incomplete, and servers fail. No entry is ever
// stored twice, and no edit is missed.
import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { listSelectedChangesAfter } from '../../src/store/radar/publication/selected-changes.ts';
import { type FeedEntry, openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { listLatestFetches, newsOf } from '../support/news.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();

/** `written`: all entries, newest first. `entries`: the current entries of the feed. */
type Publisher = { readonly written: FeedEntry[]; entries: FeedEntry[]; count: number };

function openRandomSource(random: Random) {
  const randomBelow = (bound: number) => Math.floor(random.next() * bound);
  return {
    below: randomBelow,
    isLucky: (share: number) => random.next() < share,
    one: <T>(all: readonly T[]): T =>
      requirePresent(all[randomBelow(all.length)], 'one of several'),
    shuffled: <T>(all: readonly T[]): T[] =>
      all
        .map((value) => ({ value, at: random.next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
  };
}

type RandomSource = ReturnType<typeof openRandomSource>;

const replaceEntry = (all: FeedEntry[], previousEntry: FeedEntry, nextEntry: FeedEntry) =>
  all.splice(all.indexOf(previousEntry), 1, nextEntry);

/** The next version of the feed. */
function publishNext(publisher: Publisher, chance: RandomSource): void {
  const { written } = publisher;
  for (let news = chance.below(3); news > 0; news -= 1) {
    publisher.count += 1;
    const at = app.clock.now() - chance.below(60) * MINUTE_MS;
    written.unshift(newsOf(site, `Orrin ${publisher.count}`, { at }));
  }
  for (let edits = chance.below(3); edits > 0 && written.length > 0; edits -= 1) {
    const entry = chance.one(written);
    const figure = `${chance.below(90) + 10}.${chance.below(10)} percent`;
    const title = chance.isLucky(0.5)
      ? entry.title.replace(/\d+B/, `${chance.below(900) + 1}B`)
      : entry.title;
    replaceEntry(written, entry, {
      ...entry,
      title,
      text: entry.text.replace(/[\d.]+ percent/, figure),
    });
  }
  if (chance.isLucky(0.2) && written.length > 0) {
    const entry = chance.one(written);
    const id = `urn:again:${chance.below(1_000_000)}`;
    const link = `${entry.link.split('?')[0]}?utm_source=feed${chance.below(100)}`;
    replaceEntry(written, entry, { ...entry, id, link, at: app.clock.now() });
  }
  const length = chance.isLucky(0.2) ? chance.below(written.length + 1) : 25;
  const window = chance.isLucky(0.2) ? chance.shuffled(written) : written;
  publisher.entries = window.slice(0, Math.max(1, length));
  if (chance.isLucky(0.2)) publisher.entries = chance.shuffled(publisher.entries);
}

/** The expected state of each entry by its address: the last version in the feed. */
type Expected = Map<string, { title: string; text: string; at: number }>;

/** Applies a version of the feed to the expected states, and returns the expected counts. */
function applyEntries(expected: Expected, entries: readonly FeedEntry[]) {
  const count = { created: 0, changed: 0 };
  for (const entry of entries) {
    const key = entry.link.split('?')[0] ?? '';
    const earlierState = expected.get(key);
    const { title, text } = entry;
    if (!earlierState) count.created += 1;
    else if (earlierState.title !== title || earlierState.text !== text) count.changed += 1;
    expected.set(key, { title, text, at: Math.min(entry.at, earlierState?.at ?? entry.at) });
  }
  return count;
}

const listing = () =>
  app
    .listItems()
    .map((item) => [item.originalUrl.split('?')[0], item.title, item.publishedAt])
    .sort();

const expectedTitles = (expected: Expected) =>
  [...expected]
    .map(([link, { title, at }]) => [encodeURI(link), title, Math.floor(at / 1000) * 1000])
    .sort();

/** The selected set of a client that has applied the whole change log. */
async function replayedSet() {
  const set = new Map<string, unknown>();
  for (const { itemId, item } of await listSelectedChangesAfter(app.db, 0, 100_000)) {
    if (item === null) set.delete(itemId);
    else set.set(itemId, item.title);
  }
  return [...set].sort();
}

test('a replay of all versions duplicates no entry and misses no edit', async () => {
  const seed = proofSeed();
  const versions = proofSize(300, 3_000);
  process.stdout.write(`replay: ${versions} versions, seed ${seed}\n`);
  const chance = openRandomSource(seededRandom(seed));
  const publisher: Publisher = { written: [], entries: [], count: 0 };
  const expected: Expected = new Map();
  for (let count = 0; count < 12; count += 1) publishNext(publisher, chance);
  await app.addFeed('replay', `${site.url}/replay`);
  for (let version = 0; version < versions; version += 1) {
    const document = rssOf('Replay', publisher.entries);
    const isTruncated = chance.isLucky(0.05);
    const isUnavailable = chance.isLucky(0.05);
    site.respond('/replay', {
      status: isUnavailable ? 502 : 200,
      body: isTruncated ? document.slice(0, document.lastIndexOf('<item>')) : document,
    });
    await app.fetchAndEnrich('replay');
    const receivedEntries = isTruncated ? publisher.entries.slice(0, -1) : publisher.entries;
    const expectedCounts = isUnavailable
      ? { created: 0, changed: 0 }
      : applyEntries(expected, receivedEntries);
    const [attempt] = await listLatestFetches(app.db, 'replay', 1);
    expect(attempt, `version ${version}`).toMatchObject(expectedCounts);
    expect(listing(), `version ${version}`).toEqual(expectedTitles(expected));
    // All entries are within the listed week.
    app.clock.advance(Math.min(5 * MINUTE_MS, (6 * 24 * 60 * MINUTE_MS) / versions));
    publishNext(publisher, chance);
  }
  const selectedItems = app.listItems('selected').map((item) => [item.id, item.title]);
  expect(await replayedSet()).toEqual(selectedItems.sort());
  expect(selectedItems.length).toBeGreaterThan(100);
}, 1_800_000);
