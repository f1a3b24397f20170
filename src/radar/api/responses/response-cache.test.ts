import { expect, test } from 'vitest';
import { cacheControl } from './cache-control.ts';
import type { CachedResponse } from './cached-response.ts';
import { JSON_TYPE, makeResponse } from './cached-response.ts';
import { openResponseCache } from './response-cache.ts';

const noon = Date.UTC(2026, 7, 22, 12);
const responseOf = (body: string): CachedResponse =>
  makeResponse({ contentType: JSON_TYPE, cacheControl: cacheControl.items, body });

test('a response is valid for one read model and one minute of the clock', () => {
  const cache = openResponseCache(1_000_000);
  const [first, second] = [{}, {}];
  const response = responseOf('one');
  cache.put('/a', { model: first, now: noon }, response);
  expect(cache.get('/a', { model: first, now: noon + 59_999 })).toBe(response);
  expect(cache.get('/b', { model: first, now: noon })).toBeNull();
  expect(cache.get('/a', { model: first, now: noon + 60_000 })).toBeNull();
  expect(cache.get('/a', { model: second, now: noon })).toBeNull();
});

test('a response of an earlier read model is not reused when the version repeats', () => {
  const cache = openResponseCache(1_000_000);
  const [first, second] = [{}, {}];
  cache.put('/a', { model: first, now: noon }, responseOf('before'));
  cache.get('/a', { model: second, now: noon });
  expect(cache.get('/a', { model: first, now: noon })).toBeNull();
  cache.put('/a', { model: first, now: noon }, responseOf('before'));
  cache.get('/a', { model: first, now: noon + 60_000 });
  expect(cache.get('/a', { model: first, now: noon })).toBeNull();
});

test('equal content keeps the earlier response and its coded forms', () => {
  const cache = openResponseCache(1_000_000);
  const [older, same, other] = [responseOf('one'), responseOf('one'), responseOf('two')];
  cache.put('/a', { model: {}, now: noon }, older);
  const model = {};
  expect(cache.put('/a', { model, now: noon }, same)).toBe(older);
  expect(cache.holds(older)).toBe(true);
  expect(cache.put('/a', { model, now: noon }, other)).toBe(other);
  expect([cache.holds(older), cache.holds(other)]).toEqual([false, true]);
});

test('a hundred thousand different requests stay within the byte limit', () => {
  const cache = openResponseCache(2_000_000);
  const model = {};
  const hot = cache.put('/hot', { model, now: noon }, responseOf('hot'.repeat(2_000)));
  let largest = 0;
  let last: CachedResponse = hot;
  for (let n = 0; n < 100_000; n += 1) {
    last = cache.put(`/q=${n}`, { model, now: noon }, responseOf(`${n}`.padEnd(500)));
    cache.get('/hot', { model, now: noon });
    largest = Math.max(largest, cache.bytes());
  }
  expect(largest).toBeLessThanOrEqual(2_000_000);
  expect(largest).toBeGreaterThan(1_900_000);
  expect(cache.get('/hot', { model, now: noon })).toBe(hot);
  expect(cache.get('/q=1', { model, now: noon })).toBeNull();
  expect(cache.holds(last)).toBe(true);
  expect(cache.put('/huge', { model, now: noon }, responseOf('x'.repeat(1_000_000)))).toBeTruthy();
  expect(cache.bytes()).toBeLessThanOrEqual(2_000_000);
});
