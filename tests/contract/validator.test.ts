// The validator of responses accepts correct responses and reports every planted violation.
import { describe, expect, test } from 'vitest';
import { openFilledRadar } from '../support/filled-radar.ts';
import { sendRequest, type TestResponse } from '../support/http-request.ts';
import { readContract } from './read-document.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const path = '/api/v1/items?limit=2';
const page = await sendRequest(origin, { path });
const problem = await sendRequest(origin, { path: '/api/v1/items?limit=0' });

const faults = (response: TestResponse) => contract.faultsOf({ path }, response).join('; ');
const withText = (response: TestResponse, from: string | RegExp, to: string): TestResponse => {
  const text = response.text.replace(from, to);
  expect(text, `${from} occurs`).not.toBe(response.text);
  return { ...response, text };
};
const withHeaders = (response: TestResponse, headers: TestResponse['headers']): TestResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

test('accepts correct responses', () => {
  expect([page.status, faults(page)]).toEqual([200, '']);
  expect([problem.status, faults(problem)]).toEqual([400, '']);
});

describe('reports a planted violation', () => {
  test.each([
    ['an undeclared field', withText(page, '"id":', '"heat":1,"id":'), 'additional'],
    ['a missing field', withText(page, /"reason":"[^"]*",/, ''), "'reason'"],
    ['a number as text', withText(page, /"score":(\d+)/, '"score":"$1"'), '/score'],
    ['a time without milliseconds', withText(page, /\.\d{3}Z/, 'Z'), 'pattern'],
    ['an invalid link', withText(page, 'https://news.example', ''), '/original'],
    [
      'a token with other characters',
      withText(page, /"nextCursor":"i1/, '"nextCursor":"+1'),
      'pattern',
    ],
    ['another version', withText(page, '"schemaVersion":1', '"schemaVersion":2'), 'schemaVersion'],
    ['a status that is not declared', { ...page, status: 206 }, '206'],
    ['no ETag', withHeaders(page, { etag: undefined }), 'ETag'],
    ['a strong ETag', withHeaders(page, { etag: '"a"' }), 'ETag'],
    ['no CORS', withHeaders(page, { 'access-control-allow-origin': undefined }), 'CORS'],
    [
      'another max-age',
      withHeaders(page, { 'cache-control': 'public, max-age=60, stale-while-revalidate=301' }),
      'cached too long',
    ],
    ['another content type', withHeaders(page, { 'content-type': 'text/json' }), 'content type'],
    ['a problem with an ETag', withHeaders(problem, { etag: 'W/"a"' }), 'ETag on 400'],
    ['a cacheable problem', withHeaders(problem, { 'cache-control': 'public' }), 'Cache-Control'],
    [
      'a problem without its id',
      withHeaders(problem, { 'x-request-id': undefined }),
      'X-Request-Id',
    ],
    [
      'a problem with another id',
      withHeaders(problem, { 'x-request-id': 'req_1' }),
      'another request id',
    ],
    [
      'a problem of another status',
      withText(problem, '"status":400', '"status":404'),
      'another status',
    ],
    [
      'a problem with Retry-After in its body only',
      withText(problem, '{', '{"retryAfter":1,'),
      'another Retry-After in the header',
    ],
  ])('%s', (_what, response, expectedText) => {
    expect(faults(response)).toContain(expectedText);
  });
});
