import { expect, test } from 'vitest';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json, sendRequest } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const problemCodes = [
  'invalid_request',
  'invalid_cursor',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'snapshot_required',
  'rate_limited',
  'temporarily_unavailable',
];

test.each(problemCodes)('the type of %s is a page with instructions', async (code) => {
  const response = await sendRequest(origin, { path: `/problems/${code.replaceAll('_', '-')}` });
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.text).toContain(`<code>${code}</code>`);
});

test.each(['nothing', 'constructor', 'not_found_', '%00'])(
  '%s is not a problem type',
  async (name) => {
    const response = await sendRequest(origin, { path: `/problems/${name}` });
    expect([response.status, json(response).code]).toEqual([404, 'not_found']);
  },
);

test('the problem of an unknown address names the description of the API', async () => {
  for (const path of ['/api/v1/nowhere', '/api/v1/dailies/', '/nowhere']) {
    expect(json(await sendRequest(origin, { path }))).toMatchObject({
      code: 'not_found',
      detail: 'There is no such address. /openapi-v1.json describes every address of the API.',
    });
  }
  expect((await sendRequest(origin, { path: '/openapi-v1.json' })).status).toBe(200);
});

test('every problem links to an existing page', async () => {
  const { type } = json(await sendRequest(origin, { path: '/nowhere' }));
  expect((await sendRequest(origin, { path: String(type) })).status).toBe(200);
});
