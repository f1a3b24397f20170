import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin, itemIds } = await openFilledRadar();
const contract = await readContract(origin);

type Item = {
  readonly id: string;
  readonly title: string;
  readonly discoveredAt: string;
  readonly selected: boolean;
  readonly category: string | null;
  readonly links: { readonly html: string; readonly aihot: string; readonly original: string };
  readonly attribution: { readonly name: string; readonly url: string };
};
type Page = {
  readonly query: Record<string, unknown>;
  readonly items: readonly Item[];
  readonly page: { count: number; hasMore: boolean; nextCursor: string | null };
};
const listItems = async (query: string) =>
  json(await contract.sendRequest({ path: `/api/v1/items${query}` })) as unknown as Page;

async function readPages(query: string, limit: number): Promise<readonly Page[]> {
  const allPages: Page[] = [];
  let cursor = '';
  for (;;) {
    const page = await listItems(`?${query}&limit=${limit}${cursor}`);
    allPages.push(page);
    if (page.page.nextCursor === null) return allPages;
    cursor = `&cursor=${page.page.nextCursor}`;
  }
}

test('returns the selected set of the last week without parameters', async () => {
  const { query, items, page } = await listItems('');
  expect(query).toEqual({
    mode: 'selected',
    category: null,
    window: '7d',
    q: null,
    by: 'timeline',
    ordering: 'timelineDesc',
  });
  expect(items.length).toBeGreaterThan(3);
  expect(items.every((item) => item.selected)).toBe(true);
  expect(page).toEqual({ count: items.length, hasMore: false, nextCursor: null });
});

test('returns every parameter with the value that the server used', async () => {
  const search = '?mode=all&category=industry&window=24h&by=published&q=%20Title%E3%80%80&limit=2';
  const { query, page } = await listItems(search);
  expect(query).toEqual({
    mode: 'all',
    category: 'industry',
    window: '24h',
    q: 'Title',
    by: 'published',
    ordering: 'publishedAtDesc',
  });
  expect(page.count).toBe(2);
});

test.each([1, 3, 100])('pages of %i together contain every public item once', async (limit) => {
  const allPages = await readPages('mode=all', limit);
  const items = allPages.flatMap((page) => page.items);
  expect(items.map(({ id }) => id).sort()).toEqual(await itemIds());
  for (const { page, items: pageItems } of allPages) {
    expect(page.count).toBe(pageItems.length);
    expect(page.hasMore).toBe(page.nextCursor !== null);
  }
  expect(allPages.slice(0, -1).every(({ page }) => page.count === limit)).toBe(true);
});

test('the page size may change from page to page', async () => {
  const firstPage = await listItems('?mode=all&limit=2');
  const nextPage = await listItems(`?mode=all&limit=100&cursor=${firstPage.page.nextCursor}`);
  const ids = [...firstPage.items, ...nextPage.items].map(({ id }) => id);
  expect(ids.sort()).toEqual(await itemIds());
});

test('an item has a link to the original and an attribution', async () => {
  const { items } = await listItems('?mode=all&limit=100');
  for (const { id, links, attribution } of items) {
    const html = `https://radar.example/items/${id}`;
    expect(links).toEqual({ html, aihot: html, original: `https://news.example/${id}` });
    expect(attribution).toEqual({ name: 'Content Radar', url: html });
  }
});

test('a search matches Chinese titles and the names of sources', async () => {
  const page = await listItems('?mode=all&q=%E6%A8%A1%E5%9E%8B&limit=100');
  expect(page.items.length).toBeGreaterThan(0);
  expect(page.items.every(({ title }) => title.includes('模型'))).toBe(true);
  const itemsOfSource = await listItems('?mode=all&q=%E8%A7%82%E5%AF%9F&limit=100');
  expect(itemsOfSource.items.length).toBeGreaterThan(0);
  expect((await listItems('?mode=all&q=nobody-says-this')).items).toEqual([]);
});

test('a category without items returns an empty page, not an error', async () => {
  const { items, page } = await listItems('?mode=all&category=paper');
  expect(items).toEqual([]);
  expect(page).toEqual({ count: 0, hasMore: false, nextCursor: null });
});
