// Resolves one line of input to a source over loopback: feed discovery, templates with a lookup,
// and refusals that name every address that was tried.
import { expect, test } from 'vitest';
import { resolveLine } from '../../src/radar/sources/setup/resolve-line.ts';
import { readTemplateAddresses } from '../../src/radar/sources/setup/template-addresses.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { testWorld } from '../support/test-world.ts';

const { world, robots } = testWorld();
const templateAddresses = await readTemplateAddresses('editorial');
const html = { 'content-type': 'text/html' };
const rss = (title: string) => ({
  headers: { 'content-type': 'application/rss+xml' },
  body: rssOf(title, []),
});

const resolve = (line: string, addresses = templateAddresses) =>
  resolveLine({ world, robots, addresses, canOpenLoopback: true }, line);

test('offers the feeds of a page by title and chooses none', async () => {
  const site = await openLoopbackSite();
  const links = Array.from(
    { length: 8 },
    (_, index) =>
      '<link rel="alternate" type="application/rss+xml" ' +
      `title="Feed ${index}" href="/f${index}.xml">`,
  );
  site.respond('/', { headers: html, body: `<!doctype html><html>${links.join('')}</html>` });
  expect(await resolve(site.url)).toEqual({
    kind: 'choices',
    candidates: links.map((_, index) => ({
      url: `${site.url}/f${index}.xml`,
      title: `Feed ${index}`,
    })),
  });
  expect(site.requests).toHaveLength(1);
});

test('reads and names the feed that a Link header declares', async () => {
  const site = await openLoopbackSite();
  const link = '</feed>; rel="alternate"; type="application/rss+xml", </x>; rel=next';
  site.respond('/', { headers: { ...html, link }, body: '<!doctype html><html></html>' });
  site.respond('/feed', rss('Halden News'));
  expect(await resolve(site.url)).toMatchObject({
    kind: 'source',
    definition: {
      id: 'halden-news',
      name: 'Halden News',
      settings: { url: `${site.url}/feed` },
      privateHosts: [site.host],
    },
    foundOn: site.url,
  });
});

test('tries at most seven usual paths for a page without declarations', async () => {
  const site = await openLoopbackSite();
  site.respond('/robots.txt', { body: 'User-agent: *\nDisallow: /rss\n' });
  site.respond('/blog', { headers: html, body: '<!doctype html><html></html>' });
  site.respond('/index.xml', rss('Halden News'));
  const resolved = await resolve(`${site.url}/blog`);
  expect(resolved).toMatchObject({ definition: { settings: { url: `${site.url}/index.xml` } } });
  const paths = site.requests.map(({ path }) => path);
  expect(paths).toEqual([
    '/blog',
    '/robots.txt',
    '/feed',
    '/feed.xml',
    '/atom.xml',
    '/index.xml',
    '/feed.json',
    '/index.xml',
  ]);
});

test('refuses a site without a feed and names every tried address', async () => {
  const site = await openLoopbackSite();
  site.respond('/', { headers: html, body: '<!doctype html><html></html>' });
  const refusal = await resolve(site.url);
  expect(refusal).toMatchObject({ kind: 'failed' });
  const triedAddresses = refusal.kind === 'failed' ? refusal.tried : [];
  expect(triedAddresses.map(({ url, warning }) => [new URL(url).pathname, warning.code])).toEqual([
    ['/', 'feed-page'],
    ['/feed', 'status'],
    ['/rss', 'status'],
    ['/feed.xml', 'status'],
    ['/rss.xml', 'status'],
    ['/atom.xml', 'status'],
    ['/index.xml', 'status'],
    ['/feed.json', 'status'],
  ]);
});

test('resolves a handle once, and names the request that failed', async () => {
  const site = await openLoopbackSite();
  const id = `UC${'a'.repeat(22)}`;
  const canonical = `<link rel="canonical" href="https://www.youtube.com/channel/${id}">`;
  site.respond('/@known', { headers: html, body: `<!doctype html><html>${canonical}</html>` });
  site.respond(`/videos?id=${id}`, rss('Known'));
  const addresses = {
    ...templateAddresses,
    'youtube.handle': `${site.url}/@{handle}`,
    'youtube.channel': `${site.url}/videos?id={id}`,
  };
  expect(await resolve('youtube:@known', addresses)).toMatchObject({
    kind: 'source',
    definition: { name: 'Known', settings: { url: `${site.url}/videos?id=${id}` } },
  });
  expect(await resolve('youtube:@none', addresses)).toEqual({
    kind: 'failed',
    tried: [{ url: `${site.url}/@none`, warning: { code: 'status', values: ['404'] } }],
  });
});

test('finds a podcast by its id in the directory', async () => {
  const site = await openLoopbackSite();
  site.respond('/lookup?id=12345', {
    body: JSON.stringify({ results: [{ feedUrl: `${site.url}/show` }] }),
  });
  site.respond('/lookup?id=67890', { body: JSON.stringify({ results: [] }) });
  site.respond('/show', rss('The Show'));
  const addresses = { ...templateAddresses, 'podcast.lookup': `${site.url}/lookup?id={id}` };
  expect(await resolve('podcast:12345', addresses)).toMatchObject({
    definition: { name: 'The Show' },
  });
  expect(await resolve('podcast:67890', addresses)).toEqual({
    kind: 'failed',
    tried: [{ url: `${site.url}/lookup?id=67890`, warning: { code: 'lookup-none', values: [] } }],
  });
});

test('names address and response when a template’s service refuses', async () => {
  const site = await openLoopbackSite();
  site.respond('/r/private', { status: 403 });
  const addresses = { ...templateAddresses, 'reddit.subreddit': `${site.url}/r/{subreddit}` };
  expect(await resolve('reddit:r/private', addresses)).toEqual({
    kind: 'failed',
    tried: [{ url: `${site.url}/r/private`, warning: { code: 'status', values: ['403'] } }],
  });
});

test('reads posts with dates and addresses from a channel page', async () => {
  const site = await openLoopbackSite();
  const post = (index: number) => `<div class="tgme_widget_message">
<div class="tgme_widget_message_text">Orrin ${index} opens a mill in Halden.</div>
<a class="tgme_widget_message_date" href="https://t.me/halden/${index}">\
<time datetime="2026-08-2${index}T10:00:00+00:00">10:00</time></a></div>`;
  const body = `<!doctype html><html>${post(0)}${post(1)}</html>`;
  site.respond('/s/halden', { headers: html, body });
  const addresses = { ...templateAddresses, 'telegram.channel': `${site.url}/s/{channel}` };
  const resolved = await resolve('telegram:halden', addresses);
  const entries = resolved.kind === 'source' ? (resolved.feed?.entries ?? []) : [];
  expect(entries.map(({ url, title, publishedAt }) => [url, title, publishedAt])).toEqual([
    ['https://t.me/halden/0', 'Orrin 0 opens a mill in Halden.', '2026-08-20T10:00:00.000Z'],
    ['https://t.me/halden/1', 'Orrin 1 opens a mill in Halden.', '2026-08-21T10:00:00.000Z'],
  ]);
});

test('refuses an invalid line or address without a request', async () => {
  for (const line of ['file:///etc/passwd', 'x:from:a', 'two words', '']) {
    expect([line, await resolve(line)]).toMatchObject([line, { kind: 'invalid' }]);
  }
});
