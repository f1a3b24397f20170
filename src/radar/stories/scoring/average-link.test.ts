// What two stories must have in common: less, where a large event is told in loose headlines, and
// only in the same hours.
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { openLink } from './average-link.ts';

const settings = {
  ...{ linkMembers: 8, linkBound: 4, mergeStep: 0.5 },
  ...{ looseMembers: 7, looseHours: 6, looseUnder: 2.5, looseMost: 1.75 },
};
const from = -0.25;
const across = -1.5;

type Told = {
  /** Log-odds of every pair within either story. */
  readonly within: readonly [number, number];
  readonly size: number;
  /** From the reports of one story to those of the other; null: without times. */
  readonly hours: number | null;
  readonly hasText?: boolean;
};

/** The link of two stories whose reports are `across` from each other. */
function linkOf({ within, size, hours, hasText = false }: Told): number {
  const [a, b] = [0, size].map((first) => Array.from({ length: size }, (_, at) => first + at));
  const sideOf = (slot: number) => (slot < size ? 0 : 1);
  const memory = {
    hasText: () => hasText,
    timeMs: (slot: number) => (hours === null ? null : sideOf(slot) * hours * HOUR_MS + slot),
  };
  const odds = (one: number, other: number) =>
    sideOf(one) === sideOf(other) ? (within[sideOf(one)] ?? 0) : across;
  return openLink(memory, settings, odds).link(a ?? [], b ?? [], from);
}

const loose = { within: [0.5, 3], size: 7, hours: 5 } as const;
const apart = Number.NEGATIVE_INFINITY;

test('two large stories of the same hours are one, when either is as loose in itself', () => {
  expect(linkOf(loose)).toBeCloseTo(across, 9);
  expect(linkOf({ ...loose, within: [3, 0.5] })).toBeCloseTo(across, 9);
});

test.each([
  ['both hold together by themselves', { within: [3, 2.6] }],
  ['one is hardly looser than it need be', { within: [3, 1.4] }],
  ['they are of other hours', { hours: 7 }],
  ['nobody knows when they were told', { hours: null }],
  ['they are small', { size: 6 }],
  ['their texts would say it', { hasText: true }],
] as const)('they stay two when %s', (_, change) => {
  expect(linkOf({ ...loose, ...change })).toBe(apart);
});
