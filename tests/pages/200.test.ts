// Every page for people in both languages is complete and small, and it loads nothing from other
// hosts.
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { sendRequest } from '../support/http-request.ts';
import { openReaderRadar, REPORT_KEYS, STORY } from '../support/reader-radar.ts';

const radar = await openReaderRadar();
const { origin, chinese, itemId } = radar;

const pages = [
  '/',
  '/?language=zh',
  '/latest',
  '/all',
  '/disagreements',
  '/sources',
  '/sources/orrery',
  '/saved',
  '/all?category=industry&window=24h',
  '/hot',
  `/stories/${STORY}`,
  `/items/${itemId}`,
  ...Object.entries(REPORT_KEYS).flatMap(([name, key]) => [`/${name}`, `/${name}/${key}`]),
  '/search',
  '/search?q=plant',
  '/agent',
  '/about',
  '/problems/rate-limited',
];

const PAGE_BYTES_MAX = 70 * 1024;

test.each(pages)('%s is complete, small and safe', async (path) => {
  for (const [language, site] of [
    ['en', origin],
    ['zh-CN', chinese],
  ] as const) {
    const response = await sendRequest(site, { path });
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.headers['content-security-policy']).not.toContain('unsafe');
    expect(response.bytes.length).toBeLessThan(PAGE_BYTES_MAX);
    const { text } = response;
    const { errors, count, attribute } = readDocument(text);
    expect(errors).toEqual([]);
    expect([count('h1'), count('main'), count('header'), count('footer')]).toEqual([
      1,
      1,
      1 + (text.match(/<header class="page-head"/g)?.length ?? 0),
      1,
    ]);
    expect(attribute('html', 'lang')).toEqual([language]);
    expect(count('style')).toBe(0);
    expect(attribute('script', 'src')).toHaveLength(count('script'));
    expect(response.text).not.toMatch(/ style=| on[a-z]+=/);
  }
});

test('the title of a list names the chosen filters', async () => {
  const titleOf = async (site: string, path: string) =>
    /<title>(.*)<\/title>/.exec((await sendRequest(site, { path })).text)?.[1];
  const path = '/all?category=industry&window=24h';
  expect(await titleOf(origin, path)).toMatch(/^industry · 24 hours · Everything · /i);
  expect(await titleOf(chinese, path)).toMatch(/^[^·]+ · [^·]+ · [^·]+ · /);
  expect(await titleOf(origin, '/all')).toMatch(/^Everything · /);
});

test('every referenced asset exists and is cached as immutable', async () => {
  const { text } = await sendRequest(origin, { path: '/' });
  const assets = [...new Set(text.match(/\/assets\/[\w.-]+/g))];
  expect(assets.length).toBeGreaterThan(3);
  for (const path of assets) {
    const { status, headers } = await sendRequest(origin, { path });
    expect([path, status]).toEqual([path, 200]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  }
});

test('a story shows the sources of each sentence and both sides of a contradiction', async () => {
  const { text } = await sendRequest(origin, { path: `/stories/${STORY}` });
  const { count } = readDocument(text);
  expect(text.match(/class="claim"/g)?.length).toBeGreaterThan(1);
  expect(text.match(/class="cited"/g)?.length).toBe(text.match(/class="claim"/g)?.length);
  expect(text.match(/class="facing"/g)).toHaveLength(1);
  expect(text.match(/class="column"/g)).toHaveLength(2);
  expect(count('blockquote')).toBe(0);
  const [, leftSide = '', rightSide = ''] = text.split('class="column"');
  expect([leftSide.includes('$40 million'), leftSide.includes('$55 million')]).toEqual([
    true,
    false,
  ]);
  expect(rightSide.slice(0, rightSide.indexOf('</section>'))).toContain('$55 million');
  expect(text).toContain(
    `<meta property="og:image" content="https://radar.example/pictures/stories/${STORY}.png">`,
  );
});

test('the title of each report declares its language', async () => {
  const { text } = await sendRequest(chinese, { path: `/stories/${STORY}` });
  expect(text).toMatch(/<h3 lang="en"><a [^>]+>Orrery Labs opens/);
  expect(text).toMatch(/<h3 lang="zh"><a [^>]+>奥勒里实验室/);
});

test('every example of the page for agents works', async () => {
  const { text } = await sendRequest(origin, { path: '/agent' });
  const addresses = text.match(/https:\/\/radar\.example\/(?:api|feed)[^\s'&<]*/g) ?? [];
  expect(addresses.length).toBeGreaterThanOrEqual(4);
  // CURSOR is a placeholder that a program replaces.
  for (const url of addresses.filter((address) => !address.includes('CURSOR'))) {
    const { pathname, search } = new URL(url.replaceAll('&amp;', '&'));
    expect([url, (await sendRequest(origin, { path: pathname + search })).status]).toEqual([
      url,
      200,
    ]);
  }
});

test('the about page shows the state of each source', async () => {
  const { text } = await sendRequest(origin, { path: '/about' });
  for (const name of ['Orrery Labs', 'The Ledger', 'The Wire', 'The Forum']) {
    expect(text).toMatch(
      new RegExp(`lang="en">${name}</span></th><td class="positive">working</td>`),
    );
  }
  expect(text).toContain('4 sources');
  expect(text).toContain('pushes its items');
});

type Node = {
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly unknown[];
};

/** The parse errors, elements and attributes of a page. */
function readDocument(text: string) {
  const errors: string[] = [];
  const allNodes: Node[] = [];
  const visitNode = (node: Node) => {
    allNodes.push(node);
    for (const child of node.childNodes ?? []) visitNode(child as Node);
  };
  visitNode(parse(text, { onParseError: ({ code }) => errors.push(code) }) as Node);
  const elementsNamed = (name: string) => allNodes.filter(({ tagName }) => tagName === name);
  return {
    errors,
    count: (name: string) => elementsNamed(name).length,
    attribute: (tag: string, name: string) =>
      elementsNamed(tag).flatMap(({ attrs = [] }) =>
        attrs.filter((attr) => attr.name === name).map(({ value }) => value),
      ),
  };
}
