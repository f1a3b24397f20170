import { describe, expect, test } from 'vitest';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const readMarkdown = (path: string) => sendRequest(origin, { path: `/api/v1/agent${path}` });

test('the guide for agents names every address', async () => {
  const { status, headers, text } = await readMarkdown('');
  expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
  for (const name of ['latest', 'search', 'hot', 'stories/', 'daily', 'weekly', 'monthly']) {
    expect(text).toContain(`/api/v1/agent/${name}`);
  }
  expect(headers['cache-control']).toBe(
    'public, max-age=300, s-maxage=300, stale-while-revalidate=60',
  );
});

describe.each(['/latest?mode=all', '/search?q=title'])('%s', (path) => {
  test('lists the items of the API in the same order', async () => {
    const { status, text, headers } = await readMarkdown(`${path}&limit=30`);
    expect(status).toBe(200);
    const query = path.startsWith('/search') ? '?mode=all&q=title' : '?mode=all';
    const { items } = json(await sendRequest(origin, { path: `/api/v1/items${query}&limit=30` }));
    const pages = (items as { links: { html: string } }[]).map(({ links }) => links.html);
    expect(pages.length).toBeGreaterThan(3);
    expect([...text.matchAll(/^- Page: <(.+)>$/gm)].map(([, url]) => url)).toEqual(pages);
    expect(headers['cache-control']).toBe(
      'public, max-age=60, s-maxage=60, stale-while-revalidate=300',
    );
  });
});

test('fences contain the sources’ text, and the text cannot close a fence', async () => {
  const { text } = await readMarkdown('/latest?mode=all&limit=30');
  const textOutside = text.replaceAll(/^(`{3,})data\n[\s\S]*?\n\1$/gm, '');
  expect(text).toContain('<b>');
  expect(textOutside).not.toContain('<b>');
  expect(textOutside).not.toContain('```');
});

test('names each invalid parameter', async () => {
  for (const [path, name] of [
    ['/latest?limit=31', 'limit'],
    ['/latest?window=1h', 'window'],
    ['/latest?q=abc', 'q'],
    ['/search', 'q'],
    ['/search?q=a', 'q'],
    ['/search?q=abc&category=x', 'category'],
    ['?x=1', 'x'],
  ] as const) {
    const response = await readMarkdown(path);
    expect([path, response.status, response.headers['content-type']]).toEqual([
      path,
      400,
      'application/problem+json; charset=utf-8',
    ]);
    expect(json(response).detail).toContain(`"${name}"`);
  }
});
