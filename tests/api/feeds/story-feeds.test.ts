// The feeds of the ranking, a story, a source and a query: valid, complete, and marked where the
// reports of a story disagree.
import { expect, test } from 'vitest';
import { json, sendRequest } from '../../support/http-request.ts';
import { MERGED_STORY, openReaderRadar, STORY } from '../../support/reader-radar.ts';
import { parseValidRss, textOf } from '../../support/valid-rss.ts';

const { origin, chinese, itemId } = await openReaderRadar();
const SITE = 'https://radar.example';
const CONTRADICTION_TEXT = 'Reports disagree: the amount raised, $40 million / $55 million';

test.each(['/feed/hot', `/feed/story/${STORY}`, '/feed/source/orrery'])(
  '%s has the same content as RSS and JSON Feed, and names the contradiction',
  async (path) => {
    const rss = await sendRequest(origin, { path: `${path}.xml` });
    const channel = parseValidRss(rss.text, `${SITE}${path}.xml`);
    const feed = json(await sendRequest(origin, { path: `${path}.json` })) as {
      feed_url: string;
      items: { id: string }[];
    };
    expect(feed.feed_url).toBe(`${SITE}${path}.json`);
    expect(channel.items.length).toBeGreaterThan(0);
    expect(channel.items.map((item) => textOf(item, 'guid'))).toEqual(
      feed.items.map(({ id }) => id),
    );
    expect(rss.text).toContain(CONTRADICTION_TEXT);
  },
);

test('feeds of a Chinese site have Chinese titles when a report has one', async () => {
  const feedOf = async (path: string) =>
    json(await sendRequest(chinese, { path })) as {
      title: string;
      items: { id: string; title: string; summary: string; language: string }[];
    };
  const hotFeed = await feedOf('/feed/hot.json');
  expect(hotFeed.title).toBe('Content Radar：热点');
  expect(hotFeed.items.find(({ id }) => id.endsWith(STORY))).toMatchObject({
    title: '奥勒里实验室在北方开设工厂',
    summary: '奥勒里实验室周六宣布，北方的新工厂已经投产，计划招聘 400 人。',
    language: 'zh',
  });
  const story = await feedOf(`/feed/story/${STORY}.json`);
  expect(story.title).toBe('Content Radar：奥勒里实验室在北方开设工厂');
});

test('a query feed sorts its parameters and matches like the search', async () => {
  const path = '/feed.json?q=%20plant%20&mode=all&category=industry&limit=50';
  const feed = json(await sendRequest(origin, { path })) as {
    feed_url: string;
    items: { id: string }[];
  };
  expect(feed.feed_url).toBe(`${SITE}/feed.json?category=industry&mode=all&q=plant`);
  expect(feed.items.map(({ id }) => id)).toContain(`urn:radar:item:${itemId}`);
  const chineseFeed = json(
    await sendRequest(origin, { path: '/feed.json?language=zh&mode=all' }),
  ) as {
    items: { language: string }[];
  };
  expect(chineseFeed.items.map(({ language }) => language)).toEqual(['zh']);
  const sourceFeed = json(
    await sendRequest(origin, { path: '/feed.json?source=the%20WIRE&mode=all' }),
  ) as {
    items: { authors: { name: string }[] }[];
  };
  expect(sourceFeed.items.map(({ authors }) => authors[0]?.name)).toEqual(['The Wire']);
});

test.each([
  ['/feed.xml?q=x', 400],
  ['/feed.xml?language=fr', 400],
  ['/feed.xml?limit=101', 400],
  ['/feed/hot.xml?q=plant', 400],
  ['/feed/story/none.xml', 404],
  ['/feed/story/none', 404],
  ['/feed/source/none.json', 404],
  [`/feed/story/${MERGED_STORY}.xml`, 308],
] as const)('%s returns %i', async (path, status) => {
  const response = await sendRequest(origin, { path });
  expect([path, response.status]).toEqual([path, status]);
  if (status === 308) expect(response.headers.location).toBe(`/feed/story/${STORY}.xml`);
});

test('a feed opened in a browser is a page', async () => {
  const headers = { 'sec-fetch-dest': 'document' };
  for (const path of ['/feed.xml', '/feed/hot.xml', `/feed/story/${STORY}.xml`]) {
    const page = await sendRequest(origin, { path, headers });
    expect([path, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      ...[path, 'text/html; charset=utf-8', 'private, no-cache'],
    ]);
    const feed = await sendRequest(origin, { path });
    expect([path, feed.headers['content-type']]).toEqual([
      ...[path, 'application/rss+xml; charset=utf-8'],
    ]);
  }
  const { text } = await sendRequest(origin, { path: '/feed.xml' });
  expect(text).toContain('<?xml-stylesheet type="text/xsl" href="/feed.xsl"?>');
  const style = await sendRequest(origin, { path: '/feed.xsl' });
  expect([style.status, style.headers['content-type']]).toEqual([200, 'text/xsl; charset=utf-8']);
  expect(style.text).toMatch(/href="\/assets\/page\.\w+\.css"/);
});
