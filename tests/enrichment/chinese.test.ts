// On a Chinese site the model's texts are in Chinese, and an item keeps its original title.
import { expect, test } from 'vitest';
import { openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { openModelApp } from '../support/model-services.ts';
import { newsOf } from '../support/news.ts';

const server = await openModelServer({});
const app = await openModelApp(server.url, 'zh-CN');
const site = await openLoopbackSite();

test('an English item gets a Chinese title and keeps its original title', async () => {
  const entry = newsOf(site, 'atlas');
  site.respond('/feed', {
    headers: { 'content-type': 'application/rss+xml' },
    body: rssOf('Feed', [entry]),
  });
  await app.addFeed('news', `${site.url}/feed`);
  await app.fetchAndEnrich('news');
  const [item] = app.listItems('all');
  expect(item).toMatchObject({
    title: expect.stringMatching(/\p{sc=Han}{2}/u),
    originalTitle: entry.title,
    reason: expect.stringMatching(/\p{sc=Han}{2}/u),
    summaryBy: 'model',
    language: 'en',
  });
});
