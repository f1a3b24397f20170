// Sources of every kind with the same article publish equal items.
import { expect, test } from 'vitest';
import type { SourceDefinition } from '../../src/radar/sources/source-settings.ts';
import { openLoopbackSite } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';

const app = await openTestApp();
const site = await openLoopbackSite();
const entry = newsOf(site, 'Orrin-1');
const at = new Date(entry.at);

const documents: Readonly<Record<string, string>> = {
  atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Halden</title><entry><id>1</id>
<title>${entry.title}</title><link href="/Orrin-1"/><summary>${entry.text}</summary>
<updated>${at.toISOString()}</updated></entry></feed>`,
  rdf: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Halden</title></channel><item rdf:about="${entry.link}">
<title>${entry.title}</title><link>${entry.link}</link>
<description>${entry.text}</description><dc:date>${at.toISOString()}</dc:date></item></rdf:RDF>`,
  'json-feed': JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Halden',
    items: [
      {
        id: '1',
        url: entry.link,
        title: entry.title,
        summary: entry.text,
        date_published: at.toISOString(),
      },
    ],
  }),
  'web-list': `<html><body><ul class="news"><li><a href="/Orrin-1">${entry.title}</a>
<p>${entry.text}</p><time datetime="${at.toISOString()}">an hour ago</time></li></ul>
</body></html>`,
  'json-list': JSON.stringify({
    data: [{ slug: 'Orrin-1', name: entry.title, about: entry.text, at: at.getTime() / 1000 }],
  }),
};

const settings: Readonly<Record<string, Partial<SourceDefinition>>> = {
  'web-list': {
    kind: 'web-list',
    settings: {
      url: `${site.url}/web-list`,
      item: '.news li',
      title: 'a',
      summary: 'p',
      date: 'time',
    },
  },
  'json-list': {
    kind: 'json-list',
    settings: {
      url: `${site.url}/json-list`,
      items: 'data',
      title: 'name',
      summary: 'about',
      urlTemplate: `${site.url}/{slug}`,
      date: 'at',
      dateFormat: 'epoch-s',
    },
  },
};

test.each(Object.keys(documents))('publishes the entries of a %s source', async (kind) => {
  site.respond(`/${kind}`, { body: documents[kind] ?? '' });
  await app.addFeed(kind, `${site.url}/${kind}`, { name: kind, ...settings[kind] });
  await app.fetchAndEnrich(kind);
  const items = app.listItems().filter((item) => item.sourceName === kind);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    title: entry.title,
    originalUrl: entry.link,
    publishedAt: entry.at,
    language: 'en',
  });
});

test('one article from five kinds of sources has one selected item', () => {
  expect(app.listItems()).toHaveLength(5);
  expect(app.listItems('selected')).toHaveLength(1);
});
