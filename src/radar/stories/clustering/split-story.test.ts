// The split test: two clear halves part, one event holds together, a lone stranger stays, and a
// large story does not hold together by what most of each half has in common.
import { expect, test } from 'vitest';
import { splitOff } from './split-story.ts';

const testOf = (pairOdds: (a: number, b: number) => number) => ({
  pairOdds,
  linkOdds: pairOdds,
  leastLink: () => -1,
  from: -1,
});
/** Items of one event are likely the same, of two events unlikely. */
const byEvent = (events: string, apart = -3) =>
  testOf((a, b) => (events.charAt(a) === events.charAt(b) ? 3 : apart));
const slotsOf = (events: string) => [...events].map((_, slot) => slot);

test('a story of two events gives out the smaller one', () => {
  const events = 'aabab';
  expect(splitOff(slotsOf(events), byEvent(events))).toEqual([2, 4]);
});

test('one event holds together, and one stranger is no story of its own', () => {
  expect(splitOff(slotsOf('aaaaa'), byEvent('aaaaa'))).toBeNull();
  expect(splitOff(slotsOf('aaaab'), byEvent('aaaab'))).toBeNull();
});

test('three reports are too few to tell', () => {
  expect(splitOff(slotsOf('aab'), byEvent('aab'))).toBeNull();
});

test('a story of hundreds gives out the smaller event, to the last report', () => {
  const events = 'aab'.repeat(100);
  const out = slotsOf(events).filter((slot) => events.charAt(slot) === 'b');
  expect(splitOff(slotsOf(events), byEvent(events))).toEqual(out);
});

test('halves that would not merge part, though within they are hardly better', () => {
  const pairOdds = (a: number, b: number) => (a % 2 === b % 2 ? -0.8 : -1.2);
  expect(splitOff([0, 1, 2, 3, 4], testOf(pairOdds))).toEqual([1, 3]);
  expect(splitOff([0, 1, 2, 3, 4], { ...testOf(pairOdds), leastLink: () => -2 })).toBeNull();
});
