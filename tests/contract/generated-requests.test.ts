// Sends random requests to the radar. The OpenAPI document must permit every response.
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openFilledRadar } from '../support/filled-radar.ts';
import {
  json,
  sendRawRequest,
  sendRequest,
  type TestRequest,
  type TestResponse,
} from '../support/http-request.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { readContract } from './read-document.ts';

const { origin, itemIds, logged } = await openFilledRadar();
const contract = await readContract(origin);
const seed = proofSeed();

const snapshot = json(await sendRequest(origin, { path: '/api/v1/selected/snapshot?limit=2' }));
const listPage = json(await sendRequest(origin, { path: '/api/v1/items?limit=2&mode=all' }));
const { nextCursor } = listPage.page as { nextCursor: string };
const tokens = [snapshot.cursor, snapshot.nextPage, nextCursor].map(String);
const [etag = ''] = [(await sendRequest(origin, { path: '/api/v1/items' })).headers.etag];

const encodeText = (text: string) => encodeURIComponent(text.toWellFormed());
const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('模型', 'model', 'ＡＢＣ', '\u0000', '%', ' ', '​x​', 'a'.repeat(201), '🛰️'),
);
const mutatedToken = fc
  .tuple(fc.constantFrom(...tokens), fc.nat(200), fc.constantFrom('', 'x', '.', '~', 'é'))
  .map(([token, at, put]) => token.slice(0, at) + put + token.slice(at + 1));
const values = fc.oneof(
  fc.constantFrom('selected', 'all', '24h', '7d', 'timeline', 'published', 'default', 'minimal'),
  fc.constantFrom('ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion', 'AI-models'),
  fc.constantFrom(
    '0',
    '1',
    '2',
    '50',
    '100',
    '101',
    '180',
    '500',
    '1000',
    '1001',
    '01',
    '+1',
    '1e2',
  ),
  fc.constantFrom(...tokens),
  mutatedToken,
  anyText,
);
const names = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('mode', 'category', 'window', 'by', 'q', 'limit') },
  { weight: 6, arbitrary: fc.constantFrom('cursor', 'page', 'fields') },
  { weight: 1, arbitrary: fc.constantFrom('Mode', '__proto__', 'constructor', 'limit[]', '') },
  { weight: 1, arbitrary: anyText },
);
const validPair = fc.constantFrom(
  ['mode', 'all'],
  ['mode', 'selected'],
  ['category', 'industry'],
  ['window', '24h'],
  ['by', 'published'],
  ['q', 'title'],
  ['q', ' 模型 '],
  ['limit', '3'],
  ['cursor', nextCursor],
  ['cursor', String(snapshot.cursor)],
  ['page', String(snapshot.nextPage)],
  ['fields', 'minimal'],
);
const queryPair = fc.oneof(
  {
    weight: 5,
    arbitrary: validPair.map(([name = '', value = '']) => `${name}=${encodeText(value)}`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(names, values)
      .map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('limit=%', 'q=%ff%fe', 'q=%C3', 'mode', '&', 'a=b=c', 'q=%zz', '?'),
  },
);
const query = fc.array(queryPair, { maxLength: 4 }).map((pairs) => pairs.join('&'));

const keys = fc
  .oneof(
    fc.constantFrom(
      '2026-08-21',
      '2026-02-30',
      '2026-W33',
      '2025-W53',
      '2026-08',
      '2026-13',
      'latest',
    ),
    fc.constantFrom('0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11', 'a'.repeat(128), 'é'.repeat(129)),
    fc.constantFrom(...(await itemIds()).slice(0, 3)),
    anyText,
  )
  .map((key) => encodeText(key) || 'x');
const knownPath = fc.constantFrom(
  '/api/v1/items',
  '/api/v1/hot-topics',
  '/api/v1/selected/snapshot',
  '/api/v1/selected/changes',
  '/api/v1/dailies',
  '/api/v1/weeklies',
  '/api/v1/monthlies',
  '/openapi-v1.json',
  '/feed.xml',
  '/feed.json',
  '/feed/hot.json',
  '/feed/daily.json',
);
const keyedPath = fc
  .tuple(fc.constantFrom('stories', 'dailies', 'weeklies', 'monthlies'), keys)
  .map(([kind, key]) => `/api/v1/${kind}/${key}`);
const feeds = fc
  .tuple(fc.constantFrom('category', 'source', 'story'), keys, fc.constantFrom('xml', 'json'))
  .map(([kind, key, format]) => `/feed/${kind}/${key}.${format}`);
const invalidPath = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '/api/v1/items/',
    '/API/v1/items',
    '/api/v1/../v1/items',
    '/%',
    '/%zz',
  ),
  fc.constantFrom(
    '/api/v1/items;x=1',
    '/api/v1/stories/',
    '/problems/x',
    '/api/v1/dailies/a/b',
    '*',
  ),
  anyText.map((text) => `/${encodeText(text)}`),
);
const path = fc.oneof(
  { weight: 6, arbitrary: knownPath },
  { weight: 3, arbitrary: keyedPath },
  { weight: 1, arbitrary: feeds },
  { weight: 1, arbitrary: invalidPath },
);

const methods = fc.oneof(
  { weight: 10, arbitrary: fc.constant('GET') },
  { weight: 2, arbitrary: fc.constantFrom('HEAD', 'OPTIONS') },
  { weight: 1, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY') },
);
const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });
const headers = fc.record(
  {
    'if-none-match': fc.oneof(fc.constantFrom('*', etag, `"a", ${etag}`, '"', 'W/'), headerText),
    'accept-encoding': fc.oneof(fc.constantFrom('gzip', 'br', 'gzip;q=0, *', 'x;q=z'), headerText),
    'user-agent': fc.oneof(fc.constantFrom('a'.repeat(2048), 'a'.repeat(2049)), headerText),
    accept: headerText,
    authorization: headerText,
    cookie: headerText,
    'x-forwarded-for': headerText,
    forwarded: headerText,
    'if-modified-since': headerText,
    range: fc.constantFrom('bytes=0-9', 'bytes=9-0', 'x'),
    'content-type': headerText,
    expect: fc.constant('100-continue'),
  },
  { requiredKeys: [] },
);
const anyRequest: fc.Arbitrary<TestRequest> = fc
  .record({ path, query, method: methods, headers, body: fc.constantFrom('', '{"a":1}', 'x') })
  .map(({ path: pathname, query: pairs, method, headers: headerValues, body }) => ({
    path: pairs === '' ? pathname : `${pathname}?${pairs}`,
    method,
    headers: headerValues,
    ...(/GET|HEAD|OPTIONS/.test(method) ? {} : { body }),
  }));

/** Statuses that a response may have while all services work. */
const permittedStatuses = new Set([200, 204, 304, 308, 400, 404, 405, 409]);
const statusCounts = new Map<string, number>();
afterAll(() => {
  // Every kind of response must occur, because a fuzz test that produces only 400 proves little.
  const statuses = new Set([...statusCounts.keys()].map((key) => key.split(' ')[0]));
  for (const status of ['200', '204', '304', '400', '404', '405', '409']) {
    expect([...statuses], `status ${status} never occurred`).toContain(status);
  }
});

function checkResponse(request: TestRequest, response: TestResponse): void {
  const { method, path, headers } = request;
  const description = `${method} ${path} ${JSON.stringify(headers)}: ${response.text}`;
  expect(permittedStatuses, description).toContain(response.status);
  // The document does not describe pages for people: the front page, and the pages of problems.
  if (/^\/(\?|$|problems\/)/.test(request.path) && response.status < 400) return;
  expect(contract.faultsOf(request, response), description).toEqual([]);
}

/**
 * A response without the parts that may differ: times, request ids, and the length of a compressed
 * body.
 */
function stableResponse({ status, headers, text }: TestResponse) {
  const { date: _date, 'x-request-id': _id, 'content-length': length, ...otherHeaders } = headers;
  const isCoded = otherHeaders['content-encoding'] !== undefined;
  const body = text.replace(/"requestId":"[^"]*"/, '').replace(/"asOf":"[^"]*"/, '');
  return { status, headers: otherHeaders, body, length: isCoded ? 0 : length };
}

describe(`generated requests (seed ${seed})`, () => {
  const numRuns = proofSize(5_000, 50_000);
  test(`${numRuns} of them have only declared responses`, { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const response = await sendRequest(origin, request);
        const key = `${response.status} ${request.path.split('?')[0]}`;
        statusCounts.set(key, (statusCounts.get(key) ?? 0) + 1);
        checkResponse(request, response);
      }),
      { seed, numRuns, endOnFailure: true },
    );
    expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  const repeatRuns = proofSize(1_000, 20_000);
  test(`${repeatRuns} repeated three times have equal responses`, async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const get = { path: request.path, headers: request.headers ?? {} };
        const firstResponse = await sendRequest(origin, get);
        // The second response is cached; the third request is recognised by its bytes.
        for (let round = 0; round < 2; round += 1) {
          const response = await sendRequest(origin, get);
          expect(stableResponse(response), JSON.stringify(get)).toEqual(
            stableResponse(firstResponse),
          );
          checkResponse(get, response);
        }
      }),
      { seed, numRuns: repeatRuns, endOnFailure: true },
    );
  }, 300_000);

  const rawRuns = proofSize(300, 5_000);
  test(`${rawRuns} of malformed HTTP receive a problem or no response`, {
    timeout: 300_000,
  }, async () => {
    const head = (line: string, fields: string) =>
      `${line}\r\nHost: x\r\n${fields}${fields === '' ? '' : '\r\n'}Connection: close\r\n\r\n`;
    const lines = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 60 }).map((text) => text.replaceAll(/\s/g, '_')),
      fc.constantFrom('GET /api/v1/items HTTP/1.1', 'GET / HTTP/1.0', 'GET /api/v1/items', 'GET'),
      fc.constantFrom('GET /\u00e9\u00ff HTTP/1.1', 'GET /"<>\\^`{|} HTTP/1.1', 'GET // HTTP/1.1'),
      fc.constantFrom(
        'BREW / HTTP/1.1',
        'GET / HTTP/9.9',
        'CONNECT x:1 HTTP/1.1',
        'PRI * HTTP/2.0',
      ),
      fc.constantFrom(`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'GET http://x/api/v1/items HTTP/1.1'),
    );
    const fields = fc.oneof(
      fc.constant(''),
      fc.constantFrom(
        'Content-Length: x',
        'Transfer-Encoding: x',
        'Host: y',
        ': x',
        'A',
        'Upgrade: h2c',
      ),
      fc.constantFrom('Expect: miracles', 'Content-Length: 0', `A: ${'a'.repeat(20_000)}`),
      fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(lines, fields, async (line, field) => {
        const response = await sendRawRequest(origin, Buffer.from(head(line, field), 'latin1'));
        if (response === '') return;
        expect(response).toMatch(/^HTTP\/1\.1 (200|204|304|400|404|405|409) /);
        if (/^HTTP\/1\.1 4/.test(response)) {
          expect(response).toContain('application/problem+json');
          expect(response).toMatch(/\r\nx-request-id: req_/i);
        }
      }),
      { seed, numRuns: rawRuns, endOnFailure: true },
    );
    expect(logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

test('a request without Host or above the size limit receives the reason', async () => {
  const withoutHost = await sendRawRequest(
    origin,
    'GET /api/v1/items HTTP/1.1\r\nConnection: close\r\n\r\n',
  );
  expect(withoutHost).toMatch(/^HTTP\/1\.1 400 /);
  expect(withoutHost).toContain('The header Host is missing.');
  const largeRequest = `GET /api/v1/items HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`;
  const refusal = await sendRawRequest(origin, largeRequest);
  expect(refusal).toMatch(/^HTTP\/1\.1 400 /);
  expect(refusal).toContain('"code":"invalid_request"');
});
