// The split test: two clear halves part, one event holds together, a lone stranger stays.
import { expect, test } from 'vitest';
import { splitOff } from './split-story.ts';

/** Items of one event are likely the same, of two events unlikely. */
const byEvent = (events: string) => (a: number, b: number) =>
  events.charAt(a) === events.charAt(b) ? 3 : -3;
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
