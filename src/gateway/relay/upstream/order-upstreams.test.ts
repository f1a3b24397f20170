import { expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { orderUpstreams } from './order-upstreams.ts';
import type { Upstream } from './upstream.ts';

const upstream = (name: string, priority: number, weight: number) =>
  ({ rules: { name, priority, weight } }) as Upstream;

test('the lower priority number comes first for any weight', () => {
  const all = [upstream('late', 1, 1000), upstream('early', 0, 0.001)];
  const names = orderUpstreams(seededRandom(1), all).map(({ rules }) => rules.name);
  expect(names).toEqual(['early', 'late']);
});

test('each of two upstreams with equal priority comes first as often as its weight states', () => {
  const random = seededRandom(7);
  const all = [upstream('one', 0, 1), upstream('three', 0, 3)];
  const firsts = Array.from({ length: 4_000 }, () => orderUpstreams(random, all)[0]?.rules.name);
  const share = firsts.filter((name) => name === 'three').length / firsts.length;
  expect(share).toBeGreaterThan(0.72);
  expect(share).toBeLessThan(0.78);
});
