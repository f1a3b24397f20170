// A batch with one invalid row is refused as a whole. The response names row and field, and nothing
// is stored.
import { expect, test } from 'vitest';
import { listItemsAwaitingEnrichment } from '../../../src/store/radar/sources/items.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { listLatestFetches } from '../../support/news.ts';
import { openPushEndpoint } from '../../support/push-endpoint.ts';
import { openTestApp } from '../../support/test-radar.ts';

const app = await openTestApp();
const endpoint = await openPushEndpoint(app);
const validItem = (name: string) => ({
  url: `https://halden.example/${name}`,
  title: `About ${name}`,
});
const batch = (...items: unknown[]) => ({ source: 'agents', items });

async function expectRefused(body: unknown, detail: string | RegExp) {
  const response = await endpoint.push(body);
  const problem = { status: 400, code: 'invalid_request', title: 'Invalid request' };
  expectProblem(response, { ...problem, detail });
  expect(await listItemsAwaitingEnrichment(app.db, 'agents', { except: [], limit: 9 })).toEqual([]);
  expect(await listLatestFetches(app.db, 'agents', 9)).toEqual([]);
}

test.each([
  ['no address', { title: 'A' }, 'items[1].url: must be a string'],
  [
    'another scheme',
    { ...validItem('a'), url: 'ftp://halden.example/' },
    'items[1].url: must be an absolute http or https address',
  ],
  [
    'a relative address',
    { ...validItem('a'), url: '/news' },
    'items[1].url: must be an absolute http or https address',
  ],
  ['no title', { url: 'https://halden.example/' }, 'items[1].title: must be a string'],
  ['an empty title', { ...validItem('a'), title: ' \u200b ' }, 'items[1].title: must not be empty'],
  [
    'an overlong title',
    { ...validItem('a'), title: 'a'.repeat(1_001) },
    'items[1].title: must have at most 1000 characters',
  ],
  [
    'a number instead of a summary',
    { ...validItem('a'), summary: 7 },
    'items[1].summary: must be a string',
  ],
  [
    'a date instead of a time',
    { ...validItem('a'), publishedAt: '2026-08-22' },
    'items[1].publishedAt: must be an RFC 3339 time',
  ],
  [
    'a date that does not exist',
    { ...validItem('a'), publishedAt: '2026-02-30T00:00:00Z' },
    'items[1].publishedAt: must be an RFC 3339 time',
  ],
  [
    'a language by name',
    { ...validItem('a'), language: 'English' },
    'items[1].language: must be a BCP 47 tag such as en or zh-CN',
  ],
  [
    'unknown fields',
    { ...validItem('a'), tags: [], image: '' },
    'items[1].tags: unknown field; items[1].image: unknown field',
  ],
  ['a row that is not an object', 'about a', 'items[1]: must be an object'],
  [
    'an address twice',
    { ...validItem('b'), url: 'http://www.halden.example/first/?utm_source=x' },
    'items[1].url: repeats the address of items[0]',
  ],
])('refuses a batch with an invalid row: %s', async (_name, row, detail) => {
  await expectRefused(
    batch(validItem('first'), row, validItem('last')),
    `Nothing was stored: ${detail}.`,
  );
});

test.each([
  ['no source', { items: [validItem('a')] }, 'source: must be a string'],
  ['no items', { source: 'agents' }, 'items: must be an array'],
  ['an empty batch', batch(), 'items: must have at least one item'],
  ['an unknown field', { ...batch(validItem('a')), mode: 'x' }, 'mode: unknown field'],
  ['a list', [validItem('a')], 'body: must be an object'],
  ['null', null, 'body: must be an object'],
])('refuses an invalid batch: %s', async (_name, body, detail) => {
  await expectRefused(body, `Nothing was stored: ${detail}.`);
});

test('refuses a body that is not JSON or not UTF-8', async () => {
  await expectRefused('{"source": "agents", "items": [', 'The body is not JSON.');
  await expectRefused('', 'The body is not JSON.');
  const bytes = new Uint8Array([0x22, 0xff, 0x22]);
  const headers = { authorization: `Bearer ${endpoint.token}`, 'content-type': 'application/json' };
  const response = await fetch(endpoint.url, { method: 'POST', headers, body: bytes });
  expect(await response.json()).toMatchObject({ status: 400, detail: 'The body is not UTF-8.' });
});

test('lists the first mistakes and counts the others', async () => {
  const rows = Array.from({ length: 50 }, () => ({}));
  await expectRefused(batch(...rows), /items\[4\]\.title: must be a string; and 90 more\.$/);
});
