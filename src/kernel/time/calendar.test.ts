import { describe, expect, test } from 'vitest';
import {
  isDay,
  isMonth,
  isWeek,
  parseWireTime,
  shanghaiDay,
  shanghaiMonth,
  toWireTime,
} from './calendar.ts';
import { DAY_MS } from './durations.ts';

describe('keys of reports', () => {
  test.each([
    ['2026-08-22', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-8-2', false],
    ['2026-08-22T00:00', false],
    ['1000-01-01', true],
    ['0001-01-01', false],
    ['', false],
  ])('%s is a day: %s', (text, expected) => expect(isDay(text)).toBe(expected));

  test.each([
    ['2026-W01', true],
    ['2026-W53', true],
    ['2025-W53', false],
    ['2020-W53', true],
    ['2026-W00', false],
    ['2026-W54', false],
    ['2026-w10', false],
    ['2026W10', false],
  ])('%s is an ISO week: %s', (text, expected) => expect(isWeek(text)).toBe(expected));

  test.each([
    ['2026-12', true],
    ['2026-00', false],
    ['2026-13', false],
    ['2026-1', false],
  ])('%s is a month: %s', (text, expected) => expect(isMonth(text)).toBe(expected));
});

test('wire times are UTC with milliseconds and parse to the same instant', () => {
  expect(toWireTime(1_782_129_600_123)).toBe('2026-06-22T12:00:00.123Z');
  expect(parseWireTime('2026-06-22T20:00:00.123+08:00')).toBe(1_782_129_600_123);
  expect(parseWireTime('2026-06-22')).toBeNull();
  expect(parseWireTime('yesterday')).toBeNull();
});

test.each([
  ['2026-08-21T15:59:59.999Z', '2026-08-21'],
  ['2026-08-21T16:00:00.000Z', '2026-08-22'],
  ['2026-12-31T16:00:00.000Z', '2027-01-01'],
])('%s falls in the Shanghai day %s', (text, day) => {
  const at = Date.parse(text);
  const foundDay = shanghaiDay(at);
  expect(foundDay).toEqual({
    day,
    startsAt: Date.parse(`${day}T00:00:00+08:00`),
    endsAt: Date.parse(`${day}T00:00:00+08:00`) + DAY_MS,
  });
  expect(foundDay.startsAt <= at && at < foundDay.endsAt).toBe(true);
});

test.each([
  ['2026-08-31T15:59:59.999Z', '2026-08-01', '2026-09-01'],
  ['2026-08-31T16:00:00.000Z', '2026-09-01', '2026-10-01'],
  ['2027-12-31T16:00:00.000Z', '2028-01-01', '2028-02-01'],
])('%s falls in the Shanghai month that begins on %s', (text, day, next) => {
  expect(shanghaiMonth(Date.parse(text))).toEqual({
    day,
    startsAt: Date.parse(`${day}T00:00:00+08:00`),
    endsAt: Date.parse(`${next}T00:00:00+08:00`),
  });
});
