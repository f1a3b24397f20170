import { expect, test } from 'vitest';
import { openBoundedCache } from './bounded-cache.ts';

test('keeps recently used values for any number of new values', () => {
  const cache = openBoundedCache<number>(10);
  cache.set('kept', 1);
  for (let index = 0; index < 10_000; index += 1) {
    cache.set(`other ${index}`, index);
    expect(cache.get('kept')).toBe(1);
  }
});

test('evicts values that were not read recently, and never exceeds its bound', () => {
  const cache = openBoundedCache<number>(10);
  for (let index = 0; index < 100; index += 1) cache.set(`${index}`, index);
  const cachedKeys = Array.from({ length: 100 }, (_, i) => `${i}`).filter((key) =>
    isDefined(cache.get(key)),
  );
  expect(cachedKeys.length).toBeLessThanOrEqual(10);
  expect(cache.get('0')).toBeUndefined();
});

test('a new value replaces the old value', () => {
  const cache = openBoundedCache<number>(4);
  for (const key of ['a', 'b', 'c']) cache.set(key, 1);
  cache.set('a', 2);
  for (const key of ['d', 'e']) cache.set(key, 1);
  expect(cache.get('a')).toBe(2);
});

const isDefined = (value: number | undefined) => value !== undefined;
