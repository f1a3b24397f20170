import { expect, test } from 'vitest';
import { clockTime, count, epoch, text, wireTime } from './wire.ts';

test.each([
  [12, 12],
  ['12', 12],
  ['1,234', 1_234],
  ['1.2万', 12_000],
  ['3亿', 300_000_000],
  ['1.5K', 1_500],
  ['10w+', 100_000],
  ['-', null],
  ['', null],
  [-1, null],
  [null, null],
  [undefined, null],
  [0, 0],
])('the count %o is %o', (wire, value) => {
  expect(count.parse(wire)).toBe(value);
});

test.each([['many'], [{}], [true]])('the count %o is invalid', (wire) => {
  expect(count.safeParse(wire).success).toBe(false);
});

test.each([
  [1_780_000_000, '2026-05-28T20:26:40.000Z'],
  ['1780000000', '2026-05-28T20:26:40.000Z'],
  [1_780_000_000_500, '2026-05-28T20:26:40.500Z'],
  [0, null],
  [null, null],
])('the instant %o is %o', (wire, value) => {
  expect(epoch.parse(wire)).toBe(value);
});

test.each([
  ['Sat Aug 22 20:00:00 +0800 2026', '2026-08-22T12:00:00.000Z'],
  ['2026-08-22T20:00:00+08:00', '2026-08-22T12:00:00.000Z'],
  ['2026-08-22 20:00', null],
  ['06月11日 20:00', null],
  ['3 weeks ago', null],
  ['', null],
])('parses the time %o as %o, and as unknown without a zone', (wire, value) => {
  expect(wireTime.parse(wire)).toBe(value);
});

test('parses durations such as 1:02:03 as seconds', () => {
  expect(['3:05', '1:02:03', 'LIVE', ''].map((wire) => clockTime.parse(wire))).toEqual([
    185,
    3_723,
    null,
    null,
  ]);
});

test('an empty text is null', () => {
  expect(['', '  ', null, undefined].map((wire) => text.parse(wire))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
