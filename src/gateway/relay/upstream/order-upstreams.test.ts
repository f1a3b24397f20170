import { expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { orderUpstreams } from './order-upstreams.ts';
import type { Upstream } from './upstream.ts';

const upstream = (name: string, priority: number, weight: number) =>
  ({ rules: { name, priority, weight } }) as Upstream;

test('the lower priority number comes first for any weight', () => {
  const upstreams = [upstream('late', 1, 1000), upstream('early', 0, 0.001)];
  const names = orderUpstreams(seededRandom(1), upstreams).map(({ rules }) => rules.name);
  expect(names).toEqual(['early', 'late']);
});

test('upstreams of equal priority are used first in proportion to their weights', () => {
  const random = seededRandom(7);
  const upstreams = [upstream('one', 0, 1), upstream('three', 0, 3)];
  const firstNames = Array.from(
    { length: 4_000 },
    () => orderUpstreams(random, upstreams)[0]?.rules.name,
  );
  const share = firstNames.filter((name) => name === 'three').length / firstNames.length;
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.78);
});
