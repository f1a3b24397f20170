import { expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { cacheControl } from './cache-control.ts';
import type { CachedResponse } from './cached-response.ts';
import { JSON_TYPE, makeResponse } from './cached-response.ts';
import { openResponseCache, type ResponseCache } from './response-cache.ts';

const noon = Date.UTC(2026, 7, 22, 12);
const responseOf = (body: string): CachedResponse =>
  makeResponse({ contentType: JSON_TYPE, cacheControl: cacheControl.items, body });

/** A cache that stores every response at once, because its `put` repeats each request. */
function openCache(maxBytes: number): ResponseCache {
  const cache = openResponseCache(maxBytes);
  const put: ResponseCache['put'] = (...request) => {
    cache.put(...request);
    return cache.put(...request);
  };
  return { ...cache, put };
}

test('a response is valid for one read model and one minute of the clock', () => {
  const cache = openCache(1_000_000);
  const [first, second] = [{}, {}];
  const response = responseOf('one');
  cache.put('/a', { model: first, now: noon }, response);
  expect(cache.get('/a', { model: first, now: noon + 59_999 })).toBe(response);
  expect(cache.get('/b', { model: first, now: noon })).toBeNull();
  expect(cache.get('/a', { model: first, now: noon + 60_000 })).toBeNull();
  expect(cache.get('/a', { model: second, now: noon })).toBeNull();
});

test('stores every one of 1,000 pages that readers request in turn', () => {
  const cache = openResponseCache(10_000_000);
  const moment = { model: {}, now: noon };
  const random = seededRandom(1);
  const urls = Array.from({ length: 1_000 }, () => `/api/v1/items?cursor=${random.next()}`);
  for (let turn = 0; turn < 2; turn += 1)
    for (const url of urls) cache.put(url, moment, responseOf(url));
  expect(urls.filter((url) => !cache.has(url))).toEqual([]);
});

test('a response of an earlier read model is not reused when the version repeats', () => {
  const cache = openCache(1_000_000);
  const [first, second] = [{}, {}];
  cache.put('/a', { model: first, now: noon }, responseOf('before'));
  expect(cache.get('/a', { model: second, now: noon })).toBeNull();
  expect(cache.get('/a', { model: first, now: noon + 60_000 })).toBeNull();
  cache.put('/a', { model: second, now: noon }, responseOf('after'));
  expect(cache.get('/a', { model: first, now: noon })).toBeNull();
});

test('a response rendered for a replaced read model leaves the other responses valid', () => {
  const cache = openCache(1_000_000);
  const [first, second] = [{}, {}];
  const response = cache.put('/a', { model: second, now: noon }, responseOf('new'));
  cache.put('/slow', { model: first, now: noon }, responseOf('old'));
  expect(cache.get('/a', { model: second, now: noon })).toBe(response);
  expect(cache.get('/slow', { model: second, now: noon })).toBeNull();
});

test('a prepared response is sent only for the read model that it was rendered for', () => {
  const cache = openCache(1_000_000);
  const [first, second] = [{}, {}];
  const [before, after] = [responseOf('before'), responseOf('after')];
  const render = async () => after;
  cache.put('/once', { model: first, now: noon }, responseOf('once'), render);
  cache.put('/hot', { model: first, now: noon }, before, render);
  cache.get('/hot', { model: first, now: noon });
  const hot = cache.takeHotResponses();
  expect(hot.map(({ response }) => response)).toEqual([before]);
  hot[0]?.prepare({ model: second, now: noon }, after);
  expect(cache.get('/hot', { model: first, now: noon })).toBe(before);
  expect(cache.get('/hot', { model: second, now: noon + 60_000 })).toBeNull();
  expect(cache.get('/hot', { model: second, now: noon })).toBe(after);
  expect([cache.isInUse(before), cache.isInUse(after)]).toEqual([false, true]);
  expect(cache.get('/hot', { model: first, now: noon })).toBeNull();
});

test('a response counts as hot during two periods without a request', () => {
  const cache = openCache(1_000_000);
  const moment = { model: {}, now: noon };
  cache.put('/hot', moment, responseOf('hot'), async () => null);
  const hotCounts = [cache.takeHotResponses().length];
  cache.get('/hot', moment);
  for (let period = 0; period < 3; period += 1) hotCounts.push(cache.takeHotResponses().length);
  expect(hotCounts).toEqual([0, 1, 1, 0]);
});

test('isPrepared is true after a response for that minute is stored', () => {
  const cache = openCache(1_000_000);
  const model = {};
  cache.put('/hot', { model, now: noon }, responseOf('now'), async () => null);
  cache.get('/hot', { model, now: noon });
  const nextMinute = { model, now: noon + 60_000 };
  const isPrepared = () => cache.hotResponses().map((each) => each.isPrepared(nextMinute));
  expect(isPrepared()).toEqual([false]);
  cache.hotResponses()[0]?.prepare(nextMinute, responseOf('next minute'));
  expect(isPrepared()).toEqual([true]);
});

test('stores responses for the next minute and for the next read model at the same time', () => {
  const cache = openCache(1_000_000);
  const [first, second] = [{}, {}];
  const texts = ['now', 'next minute', 'next model', 'next minute of the next model'] as const;
  const [before, nextMinute, nextModel, both] = texts.map(responseOf);
  cache.put('/hot', { model: first, now: noon }, before as CachedResponse, async () => null);
  cache.get('/hot', { model: first, now: noon });
  const prepare = (model: object, now: number, response = before) =>
    cache.hotResponses()[0]?.prepare({ model, now }, response as CachedResponse);
  prepare(first, noon + 60_000, nextMinute);
  prepare(second, noon, nextModel);
  expect(cache.get('/hot', { model: first, now: noon })).toBe(before);
  expect(cache.get('/hot', { model: second, now: noon })).toBe(nextModel);
  expect(cache.get('/hot', { model: first, now: noon + 60_000 })).toBeNull();
  prepare(second, noon + 60_000, both);
  expect(cache.get('/hot', { model: second, now: noon })).toBe(nextModel);
  expect(cache.get('/hot', { model: second, now: noon + 60_000 })).toBe(both);
  const areCurrent = [before, nextMinute, nextModel, both].map(
    (response) => response !== undefined && cache.isInUse(response),
  );
  expect(areCurrent).toEqual([false, false, false, true]);
});

test('for equal content the cache keeps the earlier response with its compressed bodies', () => {
  const cache = openCache(1_000_000);
  const [older, same, other] = [responseOf('one'), responseOf('one'), responseOf('two')];
  cache.put('/a', { model: {}, now: noon }, older);
  const model = {};
  expect(cache.put('/a', { model, now: noon }, same)).toBe(older);
  expect(cache.isInUse(older)).toBe(true);
  expect(cache.put('/a', { model, now: noon }, other)).toBe(other);
  expect([cache.isInUse(older), cache.isInUse(other)]).toEqual([false, true]);
});

test('stores nothing for a request that never repeats', () => {
  const cache = openResponseCache(1_000_000);
  const model = {};
  for (let index = 0; index < 1_000; index += 1) {
    const response = responseOf(`${index}`);
    expect(cache.put(`/q=${index}`, { model, now: noon }, response)).toBe(response);
    expect([cache.has(`/q=${index}`), cache.isInUse(response)]).toEqual([false, false]);
  }
  expect(cache.bytes()).toBe(0);
  const response = responseOf('again');
  cache.put('/q=999', { model, now: noon }, response);
  expect(cache.get('/q=999', { model, now: noon })).toBe(response);
});

test('a hundred thousand different requests stay within the byte limit', () => {
  const cache = openCache(2_000_000);
  const model = {};
  const hot = cache.put('/hot', { model, now: noon }, responseOf('hot'.repeat(2_000)));
  let largestBytes = 0;
  let lastResponse: CachedResponse = hot;
  for (let index = 0; index < 100_000; index += 1) {
    lastResponse = cache.put(
      `/q=${index}`,
      { model, now: noon },
      responseOf(`${index}`.padEnd(500)),
    );
    cache.get('/hot', { model, now: noon });
    largestBytes = Math.max(largestBytes, cache.bytes());
  }
  expect(largestBytes).toBeLessThanOrEqual(2_000_000);
  expect(largestBytes).toBeGreaterThan(1_900_000);
  expect(cache.get('/hot', { model, now: noon })).toBe(hot);
  expect(cache.get('/q=1', { model, now: noon })).toBeNull();
  expect(cache.isInUse(lastResponse)).toBe(true);
  expect(cache.put('/huge', { model, now: noon }, responseOf('x'.repeat(1_000_000)))).toBeTruthy();
  expect(cache.bytes()).toBeLessThanOrEqual(2_000_000);
});
