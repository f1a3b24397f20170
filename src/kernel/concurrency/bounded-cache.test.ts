import { expect, test } from 'vitest';
import { openBoundedCache } from './bounded-cache.ts';

test('keeps recently used values for any number of new ones', () => {
  const recent = openBoundedCache<number>(10);
  recent.set('kept', 1);
  for (let i = 0; i < 10_000; i += 1) {
    recent.set(`other ${i}`, i);
    expect(recent.get('kept')).toBe(1);
  }
});

test('evicts the least recently used value, and never exceeds its bound', () => {
  const recent = openBoundedCache<number>(10);
  for (let i = 0; i < 100; i += 1) recent.set(`${i}`, i);
  const cachedKeys = Array.from({ length: 100 }, (_, i) => `${i}`).filter((key) =>
    isDefined(recent.get(key)),
  );
  expect(cachedKeys.length).toBeLessThanOrEqual(10);
  expect(recent.get('0')).toBeUndefined();
});

test('a new value replaces the old one', () => {
  const recent = openBoundedCache<number>(4);
  for (const key of ['a', 'b', 'c']) recent.set(key, 1);
  recent.set('a', 2);
  for (const key of ['d', 'e']) recent.set(key, 1);
  expect(recent.get('a')).toBe(2);
});

const isDefined = (value: number | undefined) => value !== undefined;
