import { expect, test } from 'vitest';
import { readNamedTimes } from './read-times.ts';

test.each([
  ['on 18 august', 'day:08-18'],
  ['aug. 18, 2026', 'day:08-18 2026'],
  ['8月18日', 'day:08-18'],
  ['2027年3月', 'month:03 2027'],
  ['in may 2027', 'month:05 2027'],
  ['since march', 'month:03'],
  ['the class action may proceed', ''],
  ['on wednesday', 'weekday:3'],
  ['周三', 'weekday:3'],
  ['三个月', ''],
  ['the fourth quarter', 'quarter:4'],
  ['2027年第二季度', 'quarter:2 2027'],
  ['q3', 'quarter:3'],
])('reads the time of: %s', (text, expected) => {
  const times = readNamedTimes(text).map(({ key, year }) =>
    year === null ? key : `${key} ${year}`,
  );
  expect(times.join(', ')).toBe(expected);
});
