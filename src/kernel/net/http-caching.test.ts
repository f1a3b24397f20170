import { describe, expect, test } from 'vitest';
import { readCaching } from './http-caching.ts';

const now = Date.UTC(2026, 7, 22, 12, 0, 0, 250);
const noDirectives = { etag: null, lastModified: null, freshUntil: null, retryAfterAt: null };
const dateAt = (offsetSeconds: number) => new Date(now + offsetSeconds * 1_000).toUTCString();
const secondsFromNow = (instant: number | null) =>
  instant === null ? null : (instant - now) / 1_000;

test('a response without caching headers has no validators and no freshness', () => {
  expect(readCaching(200, {}, now)).toEqual(noDirectives);
});

describe('validators', () => {
  test('are returned as written', () => {
    const headers = { etag: ' W/"a\xe9, b" ', 'last-modified': 'Sat, 22 Aug 2026 08:00:00 GMT' };
    const expected = { etag: 'W/"a\xe9, b"', lastModified: 'Sat, 22 Aug 2026 08:00:00 GMT' };
    expect(readCaching(200, headers, now)).toEqual({ ...noDirectives, ...expected });
    expect(readCaching(304, headers, now)).toEqual({ ...noDirectives, ...expected });
  });

  test.each([301, 403, 404, 429, 500, 503])('are ignored for the status %i', (status) => {
    expect(readCaching(status, { etag: '"1"', 'last-modified': dateAt(0) }, now)).toEqual(
      noDirectives,
    );
  });

  test('are ignored when they are empty or too long', () => {
    expect(readCaching(200, { etag: '', 'last-modified': ' ' }, now)).toEqual(noDirectives);
    expect(readCaching(200, { etag: `"${'x'.repeat(1_000)}"` }, now)).toEqual(noDirectives);
  });
});

describe('freshness, seconds from now', () => {
  test.each<readonly [Record<string, string>, number | null]>([
    [{ 'cache-control': 'max-age=600' }, 600],
    [{ 'cache-control': 'public, Max-Age="600", must-revalidate' }, 600],
    [{ 'cache-control': 'max-age=600', age: '100' }, 500],
    [{ 'cache-control': 'max-age=600', age: '700' }, null],
    [{ 'cache-control': 'private, max-age=60' }, 60],
    [{ 'cache-control': 's-maxage=600' }, null],
    [{ 'cache-control': 'max-age=600, no-cache' }, null],
    [{ 'cache-control': 'max-age=600, no-store' }, null],
    [{ 'cache-control': 'max-age=0' }, null],
    [{ 'cache-control': 'max-age=-1' }, null],
    [{ 'cache-control': 'max-age=soon' }, null],
    [{ 'cache-control': 'max-age=600, stale-while-revalidate=86400, stale-if-error=86400' }, 600],
    [{ 'cache-control': 'max-age=31536000, immutable' }, 86_400],
    [{ 'cache-control': 'immutable' }, null],
    [{ 'cache-control': 'max-age=600', expires: '0' }, 600],
    [{ 'cache-control': 'max-age=600', vary: '*' }, null],
    [{ pragma: 'no-cache', expires: dateAt(600) }, null],
    [{ expires: dateAt(600), date: dateAt(0) }, 600],
    [{ expires: dateAt(90_000), date: dateAt(89_400) }, 600],
    [{ expires: dateAt(600 * 86_400), date: dateAt(0) }, 86_400],
    [{ expires: dateAt(-600), date: dateAt(0) }, null],
    [{ expires: '0' }, null],
    [{ expires: 'whenever' }, null],
    [{ 'last-modified': dateAt(-365 * 86_400), date: dateAt(0) }, null],
  ])('%j: %s', (headers, expected) => {
    expect(secondsFromNow(readCaching(200, headers, now).freshUntil)).toBe(expected);
  });

  test('is renewed by a 304 and absent for an error', () => {
    const headers = { 'cache-control': 'max-age=60' };
    expect(secondsFromNow(readCaching(304, headers, now).freshUntil)).toBe(60);
    expect(readCaching(404, headers, now).freshUntil).toBeNull();
    expect(readCaching(503, headers, now).freshUntil).toBeNull();
  });
});

test('Retry-After counts for every status, for at most a day; 0 counts as no delay', () => {
  for (const status of [200, 503]) {
    const retrySeconds = (value: string) =>
      secondsFromNow(readCaching(status, { 'retry-after': value }, now).retryAfterAt);
    expect([
      retrySeconds('120'),
      retrySeconds('86401'),
      retrySeconds('0'),
      retrySeconds('later'),
    ]).toEqual([120, 86_400, null, null]);
  }
});
