import { expect, it } from 'vitest';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { duePasses, hourOf, isAnyDue } from './due-passes.ts';

const at = (text: string) => Date.parse(text);
const now = at('2026-08-22T12:30:00Z');
const head = { seq: 9, looked_at: now, compared_at: now, split_at: now };

it('nothing is due before the first decision, nor right after everything was done', () => {
  const never = { seq: 0, looked_at: null, compared_at: null, split_at: null };
  expect(isAnyDue(duePasses(now, never))).toBe(false);
  expect(isAnyDue(duePasses(now, head))).toBe(false);
});

it('each moment is looked at again once, after two hours and after twelve', () => {
  const looked = now - 10 * 60_000;
  expect(duePasses(now, { ...head, looked_at: looked }).look).toEqual([
    { after: looked - 2 * HOUR_MS, until: now - 2 * HOUR_MS },
    { after: looked - 12 * HOUR_MS, until: now - 12 * HOUR_MS },
  ]);
});

it.each([
  ['2026-08-22T12:05:00Z', []],
  ['2026-08-22T11:59:00Z', [12]],
  ['2026-08-22T09:30:00Z', [10, 11, 12]],
  ['2026-08-22T22:00:00Z', []],
] as const)('compared at %s, the shares of %s are due', (compared, hours) => {
  const { compare } = duePasses(now, { ...head, compared_at: at(compared) });
  expect([...compare].sort((a, b) => a - b)).toEqual(hours);
});

it('a day without a pass, or none ever, makes every share due, once', () => {
  const all = duePasses(now, { ...head, compared_at: now - 90 * HOUR_MS }).compare;
  expect(all.size).toBe(24);
  expect(duePasses(now, { ...head, compared_at: null }).compare).toEqual(all);
});

it('every story belongs to one hour of the day', () => {
  expect(hourOf('0198c0de-0000-7000-8000-000000000018')).toBe(0);
  expect(hourOf('0198c0de-0000-7000-8000-000000000019')).toBe(1);
});

it.each([
  ['2026-08-21T20:00:00Z', false],
  ['2026-08-21T19:59:59Z', true],
])('large stories are tested at 04:00 in Shanghai: last at %s, due %s', (last, isDue) => {
  expect(duePasses(now, { ...head, split_at: at(last) }).split).toBe(isDue);
});
