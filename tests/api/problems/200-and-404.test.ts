import { expect, test } from 'vitest';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { ask, json } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const feed = [
  'invalid_request',
  'invalid_cursor',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'snapshot_required',
  'rate_limited',
  'temporarily_unavailable',
];

test.each(feed)('the type of %s is a page with instructions', async (code) => {
  const answer = await ask(origin, { path: `/problems/${code.replaceAll('_', '-')}` });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain(`<code>${code}</code>`);
});

test.each(['nothing', 'constructor', 'not_found_', '%00'])(
  '%s is not a problem type',
  async (name) => {
    const answer = await ask(origin, { path: `/problems/${name}` });
    expect([answer.status, json(answer).code]).toEqual([404, 'not_found']);
  },
);

test('every problem links to an existing page', async () => {
  const { type } = json(await ask(origin, { path: '/nowhere' }));
  expect((await ask(origin, { path: String(type) })).status).toBe(200);
});
