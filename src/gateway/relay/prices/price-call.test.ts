import { expect, test } from 'vitest';
import { tokenUsage } from '../token-usage.ts';
import type { ModelPrice } from './model-prices.ts';
import { chargeByTokens, type TokenPrice } from './price-call.ts';

const price = (name: ModelPrice['class'], microFen: bigint): ModelPrice => ({
  class: name,
  from: 0,
  variant: '',
  microFen,
});
const prices = [price('input', 1_000_000n), price('output', 1_000_000n)];
const heldPrice: TokenPrice = {
  kind: 'per_token',
  amount: 10n ** 12n,
  list: { version: 2, models: new Map([['m', prices]]) },
  model: 'm',
  prices,
  bounds: {
    ratio: 0.75,
    inputTokens: 75,
    media: { images: 0, pages: 0, audioSeconds: 0 },
    outputTokens: 100,
    outputMax: 100,
    responses: 1,
    toolCalls: {},
  },
  hasLongCache: false,
  variant: '',
  textBytes: 100,
};

test.each([
  ['within its bounds', { prompt: 100, completion: 100 }, 'upstream', 200n],
  ['output up to 5 % above its limit', { prompt: 1, completion: 105 }, 'upstream', 106n],
  ['output further above its limit', { prompt: 1, completion: 106 }, 'contradictory', 101n],
  ['more input than bytes', { prompt: 101, completion: 1 }, 'contradictory', 101n],
  ['a thousand million tokens', { prompt: 1e9, completion: 1e9 }, 'contradictory', 200n],
])('charges the reported tokens, at most their bound: %s', (_name, used, counted, charge) => {
  const usage = { ...tokenUsage(used), counted: 'upstream', isInputReported: true } as const;
  const served = { servedModel: 'm', attempt: 1, hasManyEstimates: false };
  const { captured, usage: storedUsage } = chargeByTokens(heldPrice, usage, served);
  expect([captured, storedUsage]).toMatchObject([charge, { counted }]);
});
