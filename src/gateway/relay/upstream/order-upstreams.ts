// Orders upstreams by priority, and within a priority by weighted random choice.
import type { Random } from '../../../kernel/crypto/random.ts';
import type { Upstream } from './upstream.ts';

export function orderUpstreams(
  { next }: Pick<Random, 'next'>,
  upstreams: readonly Upstream[],
): readonly Upstream[] {
  if (upstreams.length < 2) return upstreams;
  // Weighted order without replacement: the greatest random^(1/weight) comes first. The logarithm
  // gives the same order.
  const ranked = upstreams.map((upstream) => {
    return { upstream, draw: Math.log(Math.max(next(), Number.MIN_VALUE)) / upstream.rules.weight };
  });
  return ranked
    .sort((a, b) => a.upstream.rules.priority - b.upstream.rules.priority || b.draw - a.draw)
    .map(({ upstream }) => upstream);
}
