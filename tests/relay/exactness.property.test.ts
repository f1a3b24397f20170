// The charge of random calls by token, against a second implementation. Classes, tiers, service
// tiers and holds are random; usage is also absent, false or above its bounds. Relay contract,
// section 7, "exactness". Full size: npm run proof.
import { expect, test } from 'vitest';
import type { CountedUsage } from '../../src/gateway/relay/count-usage.ts';
import type { ModelPrice } from '../../src/gateway/relay/prices/model-prices.ts';
import { chargeByTokens, type TokenPrice } from '../../src/gateway/relay/prices/price-call.ts';
import { tokenClasses } from '../../src/gateway/relay/prices/token-classes.ts';
import { type TokenUsage, tokenUsage } from '../../src/gateway/relay/token-usage.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { expectedCost } from './expected-cost.ts';

const seed = proofSeed();
const random = seededRandom(seed);
const upTo = (count: number) => Math.floor(random.next() * count);
const CALLS = proofSize(5_000, 100_000);

const variants = ['', 'priority', 'flex'] as const;

function randomPrices(): readonly ModelPrice[] {
  const prices: ModelPrice[] = [];
  for (const name of tokenClasses) {
    for (const variant of variants) {
      for (const from of [0, 200_000]) {
        if (upTo(name === 'input' || name === 'output' ? 6 : 2) > 0) continue;
        prices.push({ class: name, from, variant, microFen: BigInt(upTo(30_000_000_000)) });
      }
    }
  }
  return prices;
}

function randomUsage(): CountedUsage {
  const prompt = upTo(3) === 0 ? upTo(400_000) : upTo(5_000);
  const completion = upTo(20_000);
  // Some providers report parts above their total.
  const part = (total: number) => (upTo(3) === 0 ? upTo(Math.floor(total * 1.3) + 1) : 0);
  const used = tokenUsage({
    prompt,
    completion,
    cacheRead: part(prompt),
    cacheWrite: part(prompt),
    cacheWriteLong: part(prompt),
    inputAudio: part(prompt),
    inputImage: part(prompt),
    reasoning: part(completion),
    outputAudio: part(completion),
    outputImage: part(completion),
    variant: variants[upTo(variants.length)] ?? '',
  });
  const isReported = upTo(4) > 0;
  return { ...used, counted: isReported ? 'upstream' : 'estimated', isInputReported: isReported };
}

type Price = Omit<TokenPrice, 'kind' | 'list' | 'model' | 'hasLongCache'>;

function randomCall() {
  const [requested, served] = [randomPrices(), randomPrices()];
  const price: Price = {
    amount: BigInt(upTo(2) === 0 ? upTo(50_000_000) : upTo(2 ** 40)),
    prices: requested,
    bounds: {
      ratio: 0.75,
      inputTokens: upTo(400_000),
      media: { images: 0, pages: 0, audioSeconds: 0 },
      outputTokens: 20_000,
      outputMax: 20_000,
      responses: 1,
      toolCalls: {},
    },
    variant: '',
    textBytes: upTo(400_000),
  };
  return { requested, served: upTo(3) === 0 ? served : requested, price, used: randomUsage() };
}

/**
 * Usage as charged: without numbers it is estimated from the cache, and invalid numbers are
 * limited.
 */
function chargedUsage({ prices, bounds, textBytes }: Price, used: CountedUsage): TokenUsage {
  const hasCachePrice = prices.some(({ class: name, from, variant }) => {
    return name === 'cache_read' && from <= used.prompt && ['', used.variant].includes(variant);
  });
  if (!used.isInputReported) return { ...used, cacheRead: hasCachePrice ? used.prompt : 0 };
  return { ...used, prompt: Math.min(used.prompt, Math.max(bounds.inputTokens, textBytes)) };
}

const min = (...amounts: readonly bigint[]) =>
  amounts.reduce((low, amount) => (amount < low ? amount : low));

test(`${CALLS} random calls are charged exactly (RADAR_SEED=${seed})`, { timeout: 600_000 }, () => {
  for (let n = 0; n < CALLS; n += 1) {
    const { requested, served, price, used } = randomCall();
    const list = {
      version: 2,
      models: new Map([['asked', requested] as const, ['other', served]]),
    };
    const fullPrice = { ...price, kind: 'per_token', model: 'asked', hasLongCache: false } as const;
    const { captured, usage } = chargeByTokens({ ...fullPrice, list }, used, {
      servedModel: 'other',
      attempt: 1,
      hasManyEstimates: false,
    });
    const charged = chargedUsage(price, used);
    const ceiling = expectedCost(requested, charged);
    const cost = expectedCost(served, charged);
    expect(captured).toBe(min(cost, ceiling, price.amount));
    // The lines are what the ledger's own check adds up.
    const { lines } = usage as { readonly lines: readonly Readonly<Record<string, unknown>>[] };
    const sum = lines.reduce((all, line) => {
      const units = line.class === 'request' ? 1_000_000n : 1n;
      return all + BigInt(String(line.tokens)) * units * BigInt(String(line.price));
    }, 0n);
    expect(sum / 1_000_000n).toBe(cost);
  }
});
