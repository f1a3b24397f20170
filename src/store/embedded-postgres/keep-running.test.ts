import { expect, it } from 'vitest';
import { pauseBefore } from './keep-running.ts';

it('increases the pause before a restart from 0 to 30 seconds', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1000].map(pauseBefore);
  expect(pauses).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
});
