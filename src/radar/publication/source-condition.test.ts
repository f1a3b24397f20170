import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../kernel/time/durations.ts';
import { conditionOf } from './source-condition.ts';

const now = 1_000 * HOUR_MS;
const source = {
  status: 'active',
  kind: 'feed',
  intervalMinutes: 30,
  lastSuccessAt: now - HOUR_MS / 2,
  nextReadAt: null,
  newestItemAt: now - HOUR_MS,
  failures: 0,
  now,
} as const;

test('a fetched source is current with an item within a week', () => {
  expect(conditionOf(source)).toBe('current');
  expect(conditionOf({ ...source, newestItemAt: now - 7 * DAY_MS - 1 })).toBe('no_recent_items');
  expect(conditionOf({ ...source, newestItemAt: null })).toBe('no_recent_items');
});

test('a source fails after three intervals without success, not after one failure', () => {
  expect(conditionOf({ ...source, failures: 1 })).toBe('current');
  expect(conditionOf({ ...source, lastSuccessAt: now - 1.5 * HOUR_MS })).toBe('current');
  expect(conditionOf({ ...source, lastSuccessAt: now - 1.5 * HOUR_MS - 1 })).toBe('failing');
  const slowSource = { ...source, intervalMinutes: 120, lastSuccessAt: now - 6 * HOUR_MS };
  expect(conditionOf(slowSource)).toBe('current');
});

test('a rarely fetched source is current until its next fetch is overdue', () => {
  const rareSource = { ...source, lastSuccessAt: now - 2 * HOUR_MS };
  expect(conditionOf({ ...rareSource, nextReadAt: now + HOUR_MS })).toBe('current');
  expect(conditionOf({ ...rareSource, nextReadAt: now - 1.5 * HOUR_MS })).toBe('current');
  expect(conditionOf({ ...rareSource, nextReadAt: now - 1.5 * HOUR_MS - 1 })).toBe('failing');
  const failingSource = { ...rareSource, nextReadAt: now + HOUR_MS, failures: 1 };
  expect(conditionOf(failingSource)).toBe('current');
  expect(conditionOf({ ...failingSource, failures: 2 })).toBe('failing');
});

test('a source is waiting until its first fetch, and failing when that fetch fails', () => {
  const newSource = { ...source, lastSuccessAt: null, newestItemAt: null };
  expect(conditionOf(newSource)).toBe('waiting');
  expect(conditionOf({ ...newSource, failures: 1 })).toBe('failing');
});

test('a push source never fails, and is waiting until its first item', () => {
  const pushSource = { ...source, kind: 'push', lastSuccessAt: null } as const;
  expect(conditionOf(pushSource)).toBe('current');
  expect(conditionOf({ ...pushSource, newestItemAt: now - 8 * DAY_MS })).toBe('no_recent_items');
  expect(conditionOf({ ...pushSource, newestItemAt: null })).toBe('waiting');
});

test('a paused or gone source has no other condition', () => {
  expect(conditionOf({ ...source, status: 'paused' })).toBe('paused');
  expect(conditionOf({ ...source, status: 'gone' })).toBe('gone');
});
