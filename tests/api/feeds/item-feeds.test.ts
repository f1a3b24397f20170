// RSS 2.0 and JSON Feed 1.1 of items: the requirements of the W3C feed validator and jsonfeed.org.
import { describe, expect, test } from 'vitest';
import { readFeed } from '../../../src/radar/sources/parse/feed/read-feed.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { parseValidRss, textOf } from '../../support/valid-rss.ts';

const { origin } = await openFilledRadar();
const SITE = 'https://radar.example';

const listItems = async (query: string) => {
  const { items } = json(await sendRequest(origin, { path: `/api/v1/items${query}` }));
  return items as readonly { id: string; title: string; summary: string | null }[];
};

const feeds = [
  ['/feed', '?limit=50'],
  ['/feed/all', '?mode=all&limit=100'],
  ['/feed/category/industry', '?category=industry&limit=50'],
] as const;

describe.each(feeds)('%s', (path, query) => {
  test('RSS is valid and has the items of the API in the same order', async () => {
    const response = await sendRequest(origin, { path: `${path}.xml` });
    expect([response.status, response.headers['content-type']]).toEqual([
      200,
      'application/rss+xml; charset=utf-8',
    ]);
    const channel = parseValidRss(response.text, `${SITE}${path}.xml`);
    const items = await listItems(query);
    expect(items.length).toBeGreaterThan(0);
    expect(channel.items.map((item) => textOf(item, 'guid'))).toEqual(
      items.map(({ id }) => `urn:radar:item:${id}`),
    );
    expect(channel.items.map((item) => textOf(item, 'title'))).toEqual(
      items.map(({ title }) => title.replaceAll(/\s+/g, ' ')),
    );
  });

  test('JSON Feed has the same items with the addresses of their pages', async () => {
    const response = await sendRequest(origin, { path: `${path}.json` });
    expect(response.headers['content-type']).toBe('application/feed+json; charset=utf-8');
    const feed = json(response) as Record<string, unknown> & { items: Record<string, unknown>[] };
    const items = await listItems(query);
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      feed_url: `${SITE}${path}.json`,
      language: 'en',
    });
    expect(feed.items.map(({ id, url }) => [id, url])).toEqual(
      items.map(({ id }) => [`urn:radar:item:${id}`, `${SITE}/items/${id}`]),
    );
    for (const item of feed.items) expect(String(item.content_html)).not.toMatch(/<b>/);
  });

  test('returns 304 to a reader that has the feed', async () => {
    for (const format of ['xml', 'json']) {
      const firstResponse = await sendRequest(origin, { path: `${path}.${format}` });
      const headers = { 'if-none-match': firstResponse.headers.etag ?? '' };
      const repeatedResponse = await sendRequest(origin, { path: `${path}.${format}`, headers });
      expect([repeatedResponse.status, repeatedResponse.text]).toEqual([304, '']);
      expect(repeatedResponse.headers['cache-control']).toBe(
        'public, max-age=60, s-maxage=60, stale-while-revalidate=60',
      );
    }
  });
});

test('the project’s feed parser accepts the feeds', async () => {
  for (const path of ['/feed.xml', '/feed.json']) {
    const response = await sendRequest(origin, { path });
    const contentType = response.headers['content-type'] ?? null;
    const parsedFeed = readFeed(response.bytes, { url: `${SITE}${path}`, contentType });
    const titles =
      parsedFeed.kind === 'read' ? parsedFeed.feed.entries.map((entry) => entry.title) : [];
    expect(titles).toHaveLength((await listItems('?limit=50')).length);
  }
});

test('returns 404 for an unknown or empty category', async () => {
  for (const file of ['gardening.xml', 'industry', 'industry.rss', '.xml', 'industry.xml.json']) {
    expect((await sendRequest(origin, { path: `/feed/category/${file}` })).status).toBe(404);
  }
});

test('refuses an unknown parameter and names it', async () => {
  const response = await sendRequest(origin, { path: '/feed.xml?limt=3' });
  expect([response.status, json(response).detail]).toEqual([
    400,
    'Unknown query parameter "limt". This address takes: category, language, limit, minScore, ' +
      'mode, q, source.',
  ]);
});
