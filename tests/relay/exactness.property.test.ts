// The charge of random calls by token equals the result of a second implementation. Price classes,
// tiers and holds are random; usage is sometimes absent, contradictory or above its bounds. Relay
// contract, section 7, "exactness". Full size: npm run proof.
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
const randomBelow = (count: number) => Math.floor(random.next() * count);
const CALLS = proofSize(5_000, 100_000);

const variants = ['', 'priority', 'flex'] as const;

function randomPrices(): readonly ModelPrice[] {
  const prices: ModelPrice[] = [];
  for (const name of tokenClasses) {
    for (const variant of variants) {
      for (const from of [0, 200_000]) {
        if (randomBelow(name === 'input' || name === 'output' ? 6 : 2) > 0) continue;
        prices.push({ class: name, from, variant, microFen: BigInt(randomBelow(30_000_000_000)) });
      }
    }
  }
  return prices;
}

function randomUsage(): CountedUsage {
  const prompt = randomBelow(3) === 0 ? randomBelow(400_000) : randomBelow(5_000);
  const completion = randomBelow(20_000);
  // Some providers report a part that is larger than its total.
  const part = (total: number) =>
    randomBelow(3) === 0 ? randomBelow(Math.floor(total * 1.3) + 1) : 0;
  const usage = tokenUsage({
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
    variant: variants[randomBelow(variants.length)] ?? '',
  });
  const isReported = randomBelow(4) > 0;
  return { ...usage, counted: isReported ? 'upstream' : 'estimated', isInputReported: isReported };
}

type Price = Omit<TokenPrice, 'kind' | 'list' | 'model' | 'hasLongCache'>;

function randomCall() {
  const [requested, served] = [randomPrices(), randomPrices()];
  const price: Price = {
    amount: BigInt(randomBelow(2) === 0 ? randomBelow(50_000_000) : randomBelow(2 ** 40)),
    prices: requested,
    bounds: {
      ratio: 0.75,
      inputTokens: randomBelow(400_000),
      media: { images: 0, pages: 0, audioSeconds: 0 },
      outputTokens: 20_000,
      outputMax: 20_000,
      responses: 1,
      toolCalls: {},
    },
    variant: '',
    textBytes: randomBelow(400_000),
  };
  return {
    requested,
    served: randomBelow(3) === 0 ? served : requested,
    price,
    used: randomUsage(),
  };
}

/**
 * The usage that is charged. Missing numbers are estimated with the prices of cached input, and
 * invalid numbers are limited.
 */
function chargedUsage({ prices, bounds, textBytes }: Price, usage: CountedUsage): TokenUsage {
  const hasCachePrice = prices.some(({ class: name, from, variant }) => {
    return name === 'cache_read' && from <= usage.prompt && ['', usage.variant].includes(variant);
  });
  if (!usage.isInputReported) return { ...usage, cacheRead: hasCachePrice ? usage.prompt : 0 };
  return { ...usage, prompt: Math.min(usage.prompt, Math.max(bounds.inputTokens, textBytes)) };
}

const min = (...amounts: readonly bigint[]) =>
  amounts.reduce((lowest, amount) => (amount < lowest ? amount : lowest));

test(`${CALLS} random calls are charged exactly (RADAR_SEED=${seed})`, { timeout: 600_000 }, () => {
  for (let callIndex = 0; callIndex < CALLS; callIndex += 1) {
    const { requested, served, price, used: reportedUsage } = randomCall();
    const priceList = {
      version: 2,
      models: new Map([['asked', requested] as const, ['other', served]]),
    };
    const fullPrice = { ...price, kind: 'per_token', model: 'asked', hasLongCache: false } as const;
    const { captured, usage } = chargeByTokens({ ...fullPrice, list: priceList }, reportedUsage, {
      servedModel: 'other',
      attempt: 1,
      hasManyEstimates: false,
    });
    const charged = chargedUsage(price, reportedUsage);
    const largestCharge = expectedCost(requested, charged);
    const cost = expectedCost(served, charged);
    expect(captured).toBe(min(cost, largestCharge, price.amount));
    // The ledger's own check adds up these lines.
    const { lines } = usage as { readonly lines: readonly Readonly<Record<string, unknown>>[] };
    const sum = lines.reduce((sumSoFar, line) => {
      const units = line.class === 'request' ? 1_000_000n : 1n;
      return sumSoFar + BigInt(String(line.tokens)) * units * BigInt(String(line.price));
    }, 0n);
    expect(sum / 1_000_000n).toBe(cost);
  }
});
