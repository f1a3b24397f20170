import { expect, it } from 'vitest';
import { isReclusterDue, pauseBetween } from './due-passes.ts';

const timeOf = (text: string) => Date.parse(text);
const now = timeOf('2026-08-22T12:30:00Z');
const head = { seq: 9, looked_at: null, compared_at: now, split_at: null };

it('clusters nothing before the first decision', () => {
  expect(isReclusterDue(now, { ...head, seq: 0, compared_at: null })).toBe(false);
});

it.each([
  [null, true],
  ['2026-08-22T12:00:00Z', false],
  ['2026-08-22T11:59:59Z', true],
  ['2026-08-19T12:30:00Z', true],
] as const)('clusters once in every clock hour: last at %s, due %s', (last, isDue) => {
  const compared = last === null ? null : timeOf(last);
  expect(isReclusterDue(now, { ...head, compared_at: compared })).toBe(isDue);
});

it('a pass over more reports is followed by a longer pause', () => {
  expect([0, 1_000, 10_000].map(pauseBetween)).toEqual([120_000, 120_000, 500_000]);
});
