import { expect, test } from 'vitest';
import { testWorld } from '../../../../tests/support/test-world.ts';
import { openEstimateLimit } from './estimate-limit.ts';

test('permits twenty calls per hour and key', () => {
  const { world, clock } = testWorld();
  const limit = openEstimateLimit(world.clock);
  for (let index = 0; index < 20; index += 1) expect(limit.permits('a')).toBe(true);
  expect([limit.permits('a'), limit.permits('b')]).toEqual([false, true]);
  clock.advance(3_600_000);
  expect(limit.permits('a')).toBe(true);
});
