// The archive search finds exactly the public items of any age that match by the search contract,
// newest first, and never withdrawn items.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { fillBatch, indexBatch } from '../../src/radar/publication/archive/index-archive.ts';
import { findArchivedItems } from '../../src/radar/publication/archive/search-archive.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { fromPublicRow } from '../../src/radar/publication/public-row.ts';
import { matchesParts, searchTextOf } from '../../src/radar/publication/search/match.ts';
import { parseQuery } from '../../src/radar/publication/search/query.ts';
import { listPublicItemRows } from '../../src/store/radar/publication/public-items.ts';
import { sendRequest } from '../support/http-request.ts';
import { openItemPublisher } from '../support/item-publisher.ts';
import { proofSeed } from '../support/proof-size.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const { db } = await openTestDatabase();
const publisher = await openItemPublisher(world, db);
const now = world.clock.now();

const titles = [
  'The old mill opens again',
  'Milliner wins a prize',
  'A windmill burns',
  'DeepSeek 发布大模型',
  'chatgpt大模型更新',
  '模型很大',
  'C++ and GPT-5 for node.js',
  'Straße nach Σίσυφος',
  "It's 5.2% of $10m",
  'ﾓﾃﾞﾙ of 한국',
  "A \\ and a quote ' and a colon :* & | !",
];
const ids: string[] = [];
for (const [index, title] of titles.entries()) {
  ids.push(await publisher.publish(title, now - (10 + index * 40) * DAY_MS));
}
ids.push(await publisher.publish('A new mill of today', now));
const publication = await openTestPublication(world, db);
const origin = await openTestServer(world, publication);
await fillBatch(db, '');
await indexBatch(world, db);

const items = (await listPublicItemRows(db, ids))
  .map(fromPublicRow)
  .sort((a, b) => b.timelineAt - a.timelineAt);

async function findIds(text: string, limit = 3): Promise<readonly string[] | null> {
  const parsedQuery = parseQuery(text);
  if (parsedQuery.kind !== 'query') return null;
  const hits: string[] = [];
  const query = { q: parsedQuery.query, from: 0, category: null, sourceName: null, language: null };
  let cursor: { at: number; id: string } | null = { at: now + 1, id: '' };
  while (cursor !== null) {
    const page = await findArchivedItems(world, db, { ...query, before: cursor, limit });
    if (page.kind === 'too_short') return null;
    hits.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  }
  return hits;
}

function expectedIds(text: string): readonly string[] {
  const parsedQuery = parseQuery(text);
  if (parsedQuery.kind !== 'query') return [];
  const { parts } = parsedQuery.query;
  return items.filter((item) => matchesParts(searchTextOf(item), parts)).map(({ id }) => id);
}

test.each([
  ['mill', 3],
  ['MILLIN', 1],
  ['大模型', 2],
  ['gpt大模', 1],
  ['模型 更', 1],
  ['c++', 1],
  ['gpt-5 node.js', 1],
  ['strasse σίσυφοσ', 1],
  ['モデル', 1],
  ['mill 大模型', 0],
])('finds the items that match "%s" by the search contract', async (text, count) => {
  expect(await findIds(text)).toEqual(expectedIds(text));
  expect(expectedIds(text)).toHaveLength(count);
});

test('finds the items that match any part of a title', async () => {
  const part = fc
    .tuple(fc.constantFrom(...titles), fc.nat(20), fc.integer({ min: 2, max: 12 }))
    .map(([title, from, length]) => title.slice(from, from + length).toWellFormed());
  await fc.assert(
    fc.asyncProperty(part, async (text) => {
      const hits = await findIds(text);
      if (hits !== null) expect(hits).toEqual(expectedIds(text));
    }),
    { seed: proofSeed(), numRuns: 200 },
  );
});

test('the page shows older items below recent ones, but nothing withdrawn', async () => {
  const readSearchPage = async (query: string) =>
    (await sendRequest(origin, { path: `/search?${query}` })).text;
  const allResults = await readSearchPage('q=mill');
  expect(allResults.indexOf('of today')).toBeLessThan(allResults.indexOf('opens again'));
  expect(allResults).toContain('<mark>Mill</mark>iner');
  expect(await readSearchPage('q=mill&window=7d')).not.toContain('opens again');
  const day = new Date(now - 10 * DAY_MS + 8 * 3_600_000).toISOString().slice(0, 10);
  const resultsOfDay = await readSearchPage(`q=mill&from=${day}&to=${day}`);
  expect(resultsOfDay).toContain('opens again');
  expect(resultsOfDay).not.toContain('of today');
  expect(resultsOfDay).not.toContain('iner');
  expect(await readSearchPage(`q=mill&from=2026-02-02&to=2026-02-01`)).toContain(
    'must not be after',
  );
  expect(await readSearchPage('q=mill&from=yesterday')).toContain(
    'Enter From and To as days such as 2026-11-23.',
  );
  expect(await readSearchPage('q=%24%24')).toContain('words of at least two letters');
  const change = { action: 'withdraw', actor: 'test', note: null } as const;
  await changeItem(world, db, ids[0] ?? '', change);
  await publication.catchUp();
  expect(await readSearchPage('q=mill')).not.toContain('opens again');
});
