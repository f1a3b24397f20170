// Moved, invalid and missing addresses: a page for a browser, a problem document for a program.
import { expect, test } from 'vitest';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { MERGED_STORY, openReaderRadar, REPORT_KEYS, STORY } from '../support/reader-radar.ts';

const radar = await openReaderRadar();
const { origin, chinese } = radar;
const browserHeaders = { accept: 'text/html,application/xhtml+xml' };

test.each([
  [`/stories/${MERGED_STORY}`, `/stories/${STORY}`],
  [`/api/v1/agent/stories/${MERGED_STORY}?limit=5`, `/api/v1/agent/stories/${STORY}?limit=5`],
  [`/pictures/stories/${MERGED_STORY}.png`, `/pictures/stories/${STORY}.png`],
])('%s is redirected', async (path, target) => {
  const { status, headers } = await sendRequest(origin, { path });
  expect([status, headers.location]).toEqual([308, target]);
});

test.each([
  ['/?window=8d', 'window'],
  ['/all?category=nothing', 'category'],
  ['/?cursor=nonsense', 'Start again'],
  ['/daily/2026-02-30', '"2026-02-30" is not a valid key. A valid key is 2026-11-23.'],
  ['/weekly/2026-W60', 'A valid key is 2026-W48.'],
  [`/search?source=${'x'.repeat(201)}`, '"source" must have at most 200 characters.'],
])('returns 400 for the invalid address %s', async (path, expectedText) => {
  const programResponse = await sendRequest(origin, { path });
  expect([programResponse.status, String(json(programResponse).detail)]).toEqual([
    400,
    expect.stringContaining(expectedText),
  ]);
  const pageResponse = await sendRequest(origin, { path, headers: browserHeaders });
  expect([pageResponse.status, pageResponse.headers['content-type']]).toEqual([
    400,
    'text/html; charset=utf-8',
  ]);
  expect(pageResponse.text).toContain('<h1>');
});

test.each([
  '/nothing',
  '/stories/none',
  '/items/none',
  '/daily/2020-01-01',
  '/problems/none',
  '/pictures/stories/none.png',
  `/pictures/stories/${STORY}`,
  '/pictures/daily/2020-01-01.png',
  '/pictures/daily/x.png',
  '/assets/none.css',
])('returns 404 for %s', async (path) => {
  const programResponse = await sendRequest(origin, { path });
  expect([programResponse.status, json(programResponse).code]).toEqual([404, 'not_found']);
  const pageResponse = await sendRequest(chinese, { path, headers: browserHeaders });
  expect(pageResponse.status).toBe(404);
  expect(pageResponse.text).toContain('<html lang="zh-CN">');
  expect(pageResponse.text).toContain('<h1>没有找到</h1>');
  expect(pageResponse.headers['cache-control']).toBe('no-store');
});

test('no address redirects to another site', async () => {
  const path = '/search?q=x&next=https://evil.example/&url=//evil.example';
  const response = await sendRequest(origin, { path });
  expect(response.text).not.toContain('evil.example');
  for (const path of ['//evil.example/', '/\\evil.example', '/%2F%2Fevil.example']) {
    expect((await sendRequest(origin, { path })).headers.location).toBeUndefined();
  }
});

test('a story without public reports has neither page nor image', async () => {
  const image = { path: `/pictures/stories/${STORY}.png` };
  expect((await sendRequest(origin, image)).status).toBe(200);
  const { text } = await sendRequest(origin, { path: `/stories/${STORY}` });
  const ids = [...text.matchAll(/id="report-([\w-]+)"/g)].map(([, id]) => id ?? '');
  expect(ids.length).toBeGreaterThan(3);
  for (const id of ids) {
    await changeItem(radar.world, radar.db, id, { action: 'withdraw', actor: 'test', note: null });
  }
  await radar.settle();
  expect((await sendRequest(origin, image)).status).toBe(404);
  expect((await sendRequest(origin, { path: `/stories/${STORY}` })).status).toBe(404);
  expect((await sendRequest(origin, { path: `/daily/${REPORT_KEYS.daily}` })).status).toBe(200);
});
