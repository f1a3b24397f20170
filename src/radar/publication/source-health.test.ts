import { expect, test } from 'vitest';
import { fillDays, HEALTH_DAYS } from './source-health.ts';

test('adds items that arrive during the read to the last day', () => {
  const counts = [
    { day: HEALTH_DAYS - 1, count: 5 },
    { day: HEALTH_DAYS, count: 2 },
  ];
  expect(fillDays(counts)).toEqual([...new Array(HEALTH_DAYS - 1).fill(0), 7]);
  expect(fillDays(counts.toReversed())).toEqual(fillDays(counts));
});
