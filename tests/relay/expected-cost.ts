// A second implementation of the cost of usage. It follows section 2 of the relay contract and not
// the code that charges.
import type { ModelPrice } from '../../src/gateway/relay/prices/model-prices.ts';
import type { TokenClass } from '../../src/gateway/relay/prices/token-classes.ts';
import type { TokenUsage } from '../../src/gateway/relay/token-usage.ts';

const tokenClasses: readonly (readonly [TokenClass, keyof TokenUsage, 'input' | 'output'])[] = [
  ['cache_read', 'cacheRead', 'input'],
  ['cache_write', 'cacheWrite', 'input'],
  ['cache_write_long', 'cacheWriteLong', 'input'],
  ['input_audio', 'inputAudio', 'input'],
  ['input_image', 'inputImage', 'input'],
  ['reasoning', 'reasoning', 'output'],
  ['output_audio', 'outputAudio', 'output'],
  ['output_image', 'outputImage', 'output'],
];

/** Adds up the cost of all token classes and rounds the sum down once. */
export function expectedCost(prices: readonly ModelPrice[], usage: TokenUsage): bigint {
  const listedPrice = (name: TokenClass, variant: string) =>
    prices
      .filter((price) => price.class === name && price.variant === variant)
      .filter(({ from }) => from <= usage.prompt)
      .sort((a, b) => b.from - a.from)[0]?.microFen;
  const priceOf = (name: TokenClass) => listedPrice(name, usage.variant) ?? listedPrice(name, '');
  const remaining = { input: usage.prompt, output: usage.completion };
  let exact = (priceOf('request') ?? 0n) * 1_000_000n;
  for (const [name, field, side] of tokenClasses) {
    const price = priceOf(name);
    if (price === undefined) continue;
    const tokens = Math.min(remaining[side], Number(usage[field]));
    remaining[side] -= tokens;
    exact += BigInt(tokens) * price;
  }
  exact += BigInt(remaining.input) * (priceOf('input') ?? 0n);
  exact += BigInt(remaining.output) * (priceOf('output') ?? 0n);
  return exact / 1_000_000n;
}
