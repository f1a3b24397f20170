// Moved, invalid and missing addresses: a page for a browser, a problem document for a program.
import { expect, test } from 'vitest';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { KEYS, MERGED, openReaderRadar, STORY } from '../support/reader-radar.ts';

const radar = await openReaderRadar();
const { origin, chinese } = radar;
const asPerson = { accept: 'text/html,application/xhtml+xml' };

test.each([
  [`/stories/${MERGED}`, `/stories/${STORY}`],
  [`/api/v1/agent/stories/${MERGED}?limit=5`, `/api/v1/agent/stories/${STORY}?limit=5`],
  [`/pictures/stories/${MERGED}.png`, `/pictures/stories/${STORY}.png`],
])('%s is redirected', async (path, to) => {
  const { status, headers } = await sendRequest(origin, { path });
  expect([status, headers.location]).toEqual([308, to]);
});

test.each([
  ['/?window=8d', 'window'],
  ['/all?category=nothing', 'category'],
  ['/?cursor=nonsense', 'Start again'],
  ['/daily/2026-02-30', '2026-02-30'],
])('%s is an invalid address', async (path, expectedName) => {
  const program = await sendRequest(origin, { path });
  expect([program.status, String(json(program).detail)]).toEqual([
    400,
    expect.stringContaining(expectedName),
  ]);
  const person = await sendRequest(origin, { path, headers: asPerson });
  expect([person.status, person.headers['content-type']]).toEqual([
    400,
    'text/html; charset=utf-8',
  ]);
  expect(person.text).toContain('<h1>');
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
])('%s is 404', async (path) => {
  const program = await sendRequest(origin, { path });
  expect([program.status, json(program).code]).toEqual([404, 'not_found']);
  const person = await sendRequest(chinese, { path, headers: asPerson });
  expect(person.status).toBe(404);
  expect(person.text).toContain('<html lang="zh-CN">');
  expect(person.text).toContain('<h1>没有找到</h1>');
  expect(person.headers['cache-control']).toBe('no-store');
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
  expect((await sendRequest(origin, { path: `/daily/${KEYS.daily}` })).status).toBe(200);
});
