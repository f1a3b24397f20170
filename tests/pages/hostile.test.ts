// Texts of sources stay text in every output: pages, feeds, Markdown, JSON and MCP. Chromium checks
// the pages in tests/browser.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DOMParser } from '@xmldom/xmldom';
import { parse, parseFragment } from 'parse5';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ELEMENT,
  openHostileRadar,
  payloads,
  REPORT_KEYS,
  STORY,
} from '../support/hostile-radar.ts';
import { sendRequest } from '../support/http-request.ts';

const { origin, itemIds, endpoint } = await openHostileRadar();
const client = new Client({ name: 'a test', version: '1.0.0' });
beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin))));
afterAll(() => client.close());

const reports = Object.entries(REPORT_KEYS).map(([name, key]) => `${name}/${key}`);
const word = encodeURIComponent(ELEMENT);

test('stores all hostile texts, and refuses addresses that are not http or https', async () => {
  expect(itemIds).toHaveLength(payloads.length);
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    ' vbscript:x',
    '//halden.example',
  ]) {
    const { status } = await endpoint.push({
      source: 'agents',
      items: [{ url, title: 'A title' }],
    });
    expect([url, status]).toEqual([url, 400]);
  }
});

test('the checks of this file report planted faults', () => {
  const foundElements = payloads.map((payload) =>
    foreignParts(parse(`<p title="${payload}">${payload}</p>`)),
  );
  expect(foundElements.filter((parts) => parts.length > 0).length).toBeGreaterThan(6);
  expect(textOutsideFences(`Text\n${payloads[0]}`)).toContain(ELEMENT);
  expect(textOutsideFences(`\`\`\`data\n\`\`\`\n${payloads[0]}`)).toContain(ELEMENT);
  expect(invalidLinksIn({ links: [{ html: 'javascript:alert(1)' }] })).toHaveLength(1);
});

const pages = () => [
  '/',
  '/all',
  '/hot',
  `/stories/${STORY}`,
  '/about',
  `/search?q=${word}`,
  `/search?q=${encodeURIComponent(payloads[2] ?? '')}`,
  ...['daily', 'weekly', 'monthly'].map((name) => `/${name}`),
  ...reports.map((path) => `/${path}`),
  ...itemIds.map((id) => `/items/${id}`),
];

test('no page has an element, a handler or an address from a source', async () => {
  const pagesWithText: string[] = [];
  for (const path of pages()) {
    const { status, text } = await sendRequest(origin, { path, headers: { accept: 'text/html' } });
    expect([path, status]).toEqual([path, 200]);
    expect([path, foreignParts(parse(text))]).toEqual([path, []]);
    if (text.includes(ELEMENT)) pagesWithText.push(path);
  }
  // The texts are present; empty pages would pass the other checks.
  expect(pagesWithText.length).toBeGreaterThan(itemIds.length / 2 + 6);
});

test('an error page shows the request’s text as plain text', async () => {
  const hostileText = encodeURIComponent(payloads[2] ?? '');
  for (const path of [`/${hostileText}`, `/daily/${hostileText}`, `/?category=${hostileText}`]) {
    const { status, text } = await sendRequest(origin, { path, headers: { accept: 'text/html' } });
    expect(status).toBeGreaterThanOrEqual(400);
    expect([path, foreignParts(parse(text))]).toEqual([path, []]);
  }
});

test('feeds are well-formed, and their HTML is harmless', async () => {
  for (const name of ['/feed', '/feed/all', '/feed/daily', '/feed/weekly', '/feed/monthly']) {
    const xml = (await sendRequest(origin, { path: `${name}.xml` })).text;
    const document = new DOMParser({
      onError: (_level, message) => expect.fail(`${name}: ${message}`),
    }).parseFromString(xml, 'text/xml');
    expect([name, document.getElementsByTagName(ELEMENT).length]).toEqual([name, 0]);
    for (const tag of ['description', 'content:encoded']) {
      for (const element of document.getElementsByTagName(tag)) {
        expect([name, foreignParts(parseFragment(element.textContent ?? ''))]).toEqual([name, []]);
      }
    }
    const feed = JSON.parse((await sendRequest(origin, { path: `${name}.json` })).text);
    for (const { content_html, url } of feed.items) {
      expect([name, foreignParts(parseFragment(content_html ?? ''))]).toEqual([name, []]);
      expect(url).toMatch(/^https?:\/\//);
    }
  }
});

const agents = [
  '/api/v1/agent/latest?mode=all&limit=30',
  `/api/v1/agent/search?q=${word}`,
  '/api/v1/agent/hot',
  `/api/v1/agent/stories/${STORY}`,
  ...reports.map((path) => `/api/v1/agent/${path}`),
];

test('Markdown keeps source texts inside fences', async () => {
  for (const path of agents) {
    const { status, text } = await sendRequest(origin, { path });
    expect([path, status]).toEqual([path, 200]);
    expect([path, textOutsideFences(text)]).not.toEqual([path, expect.stringContaining(ELEMENT)]);
    expect([path, textOutsideFences(text)]).not.toEqual([
      path,
      expect.stringContaining('# Orders'),
    ]);
    expect([path, textOutsideFences(text)]).not.toEqual([
      path,
      expect.stringContaining('](javascript:'),
    ]);
  }
});

test('MCP keeps source texts inside fences, and JSON contains web addresses only', async () => {
  const calls = [
    ['latest', { mode: 'all' }],
    ['search', { q: ELEMENT }],
    ['hot', {}],
    ['story', { publicId: STORY }],
    ['daily', { date: REPORT_KEYS.daily }],
  ] as const;
  for (const [name, values] of calls) {
    const { content, structuredContent } = await client.callTool({ name, arguments: values });
    for (const part of content) {
      if (part.type !== 'text' || part.text.startsWith('{')) continue;
      expect([name, textOutsideFences(part.text)]).not.toEqual([
        name,
        expect.stringContaining(ELEMENT),
      ]);
    }
    expect(invalidLinksIn(structuredContent)).toEqual([]);
  }
  for (const path of ['/api/v1/items?mode=all', '/api/v1/hot-topics', `/api/v1/stories/${STORY}`]) {
    const { text, headers } = await sendRequest(origin, { path });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect([path, invalidLinksIn(JSON.parse(text))]).toEqual([path, []]);
  }
});

/** Text outside of fences, without the addresses in angle brackets. */
function textOutsideFences(markdown: string): string {
  const outsideLines: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const [run = ''] = /^`{3,}/.exec(line) ?? [];
    if (fence === '' && run !== '') fence = run;
    else if (fence !== '' && line === fence) fence = '';
    else if (fence === '') outsideLines.push(line.replace(/<https?:[^<>\s]*>/g, ''));
  }
  return fence === '' ? outsideLines.join('\n') : `a fence is open: ${ELEMENT}`;
}

/** Values of link fields that are not absolute http or https addresses. */
function invalidLinksIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') {
    const isLink = /^(url|html|original|aihot|story|json)$/i.test(name);
    return isLink && !/^https?:\/\/[^"<>\s]+$/.test(value) ? [`${name}: ${value}`] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => invalidLinksIn(inner, key));
}

type Node = {
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly unknown[];
};

/** Elements, event handlers and addresses that our templates do not contain. */
function foreignParts(node: unknown): readonly string[] {
  const { tagName = '', attrs = [], childNodes = [] } = node as Node;
  const value = (name: string) => attrs.find((attr) => attr.name === name)?.value ?? null;
  const foundParts: string[] = [];
  if ([ELEMENT, 'iframe', 'object', 'embed', 'img', 'base', 'style'].includes(tagName)) {
    foundParts.push(`<${tagName}>`);
  }
  if (tagName === 'script' && !value('src')?.startsWith('/assets/')) foundParts.push('<script>');
  for (const { name } of attrs) {
    if (/^on|^style$|^srcdoc$|^formaction$/.test(name)) foundParts.push(name);
  }
  for (const name of ['href', 'src', 'action', 'xlink:href']) {
    const address = value(name);
    if (address !== null && !/^(https?:\/\/|\/(?![/\\])|#)/.test(address)) foundParts.push(address);
  }
  return [...foundParts, ...childNodes.flatMap(foreignParts)];
}
