import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  mergeUsage,
  readOpenAiUsage,
  readTokenUsage,
  tokenUsage,
  usageOfMessages,
} from '../token-usage.ts';
import {
  amountOfLines,
  chargeOf,
  exactAmount,
  linesOf,
  type ModelPrice,
  priceAt,
} from './model-prices.ts';
import { classesOf, isTokenClass, type TokenClass, tokenClasses } from './token-classes.ts';

const price = (name: ModelPrice['class'], microFen: bigint, from = 0): ModelPrice => ({
  class: name,
  from,
  variant: '',
  microFen,
});
const list = [
  price('input', 3_000n),
  price('cache_read', 300n),
  price('cache_write', 3_750n),
  price('cache_write_long', 6_000n),
  price('output', 15_000n),
];
const tokensByClass = (usage: Parameters<typeof tokenUsage>[0]) =>
  Object.fromEntries(linesOf(list, tokenUsage(usage)).map((line) => [line.class, line.tokens]));

/** Faults of public gateways. A name in parentheses is the report of the fault. */
describe('miscounts of public gateways', () => {
  const usageOfMessage = (usage: object) => usageOfMessages(mergeUsage(null, usage));

  test('cache creation is billed once, and not a second time as input (litellm #9812)', () => {
    const usage = usageOfMessage({
      input_tokens: 4,
      cache_creation_input_tokens: 12_304,
      cache_read_input_tokens: 0,
      output_tokens: 550,
    });
    expect(tokensByClass(usage ?? {})).toEqual({ input: 4, cache_write: 12_304, output: 550 });
  });

  test('cache reads of a stream are not input (litellm #11789, #11364)', () => {
    const started = mergeUsage(null, {
      input_tokens: 3,
      cache_read_input_tokens: 9_000,
      output_tokens: 1,
    });
    const usage = usageOfMessages(mergeUsage(started, { output_tokens: 42 }));
    expect(tokensByClass(usage ?? {})).toEqual({ input: 3, cache_read: 9_000, output: 42 });
  });

  test('counts of message_delta are cumulative and are not added', () => {
    const steps = [
      { input_tokens: 10, output_tokens: 1 },
      { output_tokens: 20 },
      { output_tokens: 37 },
    ];
    const mergedUsage = steps.reduce<ReturnType<typeof mergeUsage>>(mergeUsage, null);
    expect(usageOfMessages(mergedUsage)).toMatchObject({ prompt: 10, completion: 37 });
  });

  test('a null in a later event does not replace the earlier number', () => {
    const started = mergeUsage(null, { input_tokens: 10, cache_read_input_tokens: 5 });
    const mergedUsage = mergeUsage(started, { cache_read_input_tokens: null, output_tokens: 2 });
    expect(usageOfMessages(mergedUsage)).toMatchObject({ prompt: 15, cacheRead: 5 });
  });

  test('cached tokens are part of OpenAI’s total (litellm PR #40016)', () => {
    const usage = readTokenUsage({
      prompt_tokens: 2_006,
      completion_tokens: 300,
      prompt_tokens_details: { cached_tokens: 1_920 },
    });
    expect(tokensByClass(usage ?? {})).toEqual({ input: 86, cache_read: 1_920, output: 300 });
  });

  test('cached tokens of the Responses API count (new-api #6883, #6035, #4395, #6144)', () => {
    const usage = readOpenAiUsage({
      input_tokens: 500,
      input_tokens_details: { cached_tokens: 400 },
      output_tokens: 7,
    });
    expect(tokensByClass(usage ?? {})).toEqual({ input: 100, cache_read: 400, output: 7 });
  });

  test('cache writes of OpenAI have their own price (mux #3705)', () => {
    const usage = readTokenUsage({
      prompt_tokens: 1_000,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 900 },
    });
    expect(tokensByClass(usage ?? {})).toEqual({ input: 100, cache_write: 900, output: 1 });
  });

  test('reads the split of cache writes, and a long cache has its own price', () => {
    const usage = usageOfMessage({
      input_tokens: 1,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 2,
    });
    expect(tokensByClass(usage ?? {})).toEqual({
      input: 1,
      cache_write: 10,
      cache_write_long: 20,
      output: 2,
    });
  });

  test('cache writes of OpenAI for twelve hours have the price of a long cache', () => {
    const usage = readOpenAiUsage({
      input_tokens: 1_000,
      input_tokens_details: {
        cached_tokens: 0,
        cache_write_tokens: 900,
        cache_write_tokens_details: { ttl_12h_tokens: 600, ttl_30m_tokens: 300 },
      },
      output_tokens: 1,
    });
    const expected = { input: 100, cache_write: 300, cache_write_long: 600, output: 1 };
    expect(tokensByClass(usage ?? {})).toEqual(expected);
  });

  test('reasoning tokens count as output unless they have a price of their own', () => {
    const usage = readTokenUsage({
      prompt_tokens: 1,
      completion_tokens: 100,
      completion_tokens_details: { reasoning_tokens: 80 },
    });
    expect(tokensByClass(usage ?? {})).toEqual({ input: 1, output: 100 });
    const pricedLines = linesOf([...list, price('reasoning', 20_000n)], usage ?? tokenUsage({}));
    expect(pricedLines.map((line) => [line.class, line.tokens])).toContainEqual(['reasoning', 80]);
  });
});

test('the total input of a call selects the tier', () => {
  const tieredPrices = [price('input', 10n), price('input', 20n, 200_000), price('output', 30n)];
  expect(priceAt(tieredPrices, 'input', { totalInput: 199_999, variant: '' })).toBe(10n);
  expect(priceAt(tieredPrices, 'input', { totalInput: 200_000, variant: '' })).toBe(20n);
  expect(priceAt(tieredPrices, 'cache_read', { totalInput: 1, variant: '' })).toBeNull();
  const lines = linesOf(tieredPrices, tokenUsage({ prompt: 200_000, completion: 1 }));
  expect(amountOfLines(lines)).toBe((200_000n * 20n + 30n) / 1_000_000n);
});

test('the largest iteration of a call decides its tier', () => {
  const tieredPrices = [price('input', 10n), price('input', 20n, 200_000)];
  const iterations = [
    { input_tokens: 150_000, cache_read_input_tokens: 60_000 },
    { input_tokens: 9 },
  ];
  const usage = usageOfMessages(
    mergeUsage(null, { input_tokens: 9, output_tokens: 1, iterations }),
  );
  expect(linesOf(tieredPrices, usage ?? tokenUsage({}))).toEqual([
    { class: 'input', tokens: 9, price: 20n },
  ]);
});

test('the charge is never above the hold or the ceiling', () => {
  const usage = tokenUsage({ prompt: 1_000, completion: 1_000 });
  expect(chargeOf(usage, list, list, 1_000n)).toMatchObject({ charge: 18n, shortfall: 0n });
  expect(chargeOf(usage, list, list, 10n)).toMatchObject({ charge: 10n, shortfall: 8n });
  const highPrices = [price('input', 9_000n), price('output', 90_000n)];
  expect(chargeOf(usage, highPrices, list, 1_000n)).toMatchObject({
    charge: 18n,
    isCeilingApplied: true,
  });
});

test('classes are disjoint and add up to the totals for any usage', () => {
  const count = fc.nat(10_000_000);
  const usages = fc.record({
    prompt: count,
    completion: count,
    cacheRead: count,
    cacheWrite: count,
    cacheWriteLong: count,
    inputAudio: count,
    inputImage: count,
    reasoning: count,
    outputAudio: count,
    outputImage: count,
    largestInput: fc.constant(0),
    variant: fc.constant(''),
    toolCalls: fc.constant({}),
    isContradictory: fc.constant(false),
  });
  const pricedClasses = fc.subarray<TokenClass>([...tokenClasses]);
  fc.assert(
    fc.property(usages, pricedClasses, (usage, names) => {
      const classes = classesOf(usage, (name) => names.includes(name));
      const sum = (side: 'input' | 'output') =>
        classes
          .filter(({ class: name }) => name !== 'request')
          .filter(({ class: name }) => (side === 'output') === /^(output|reasoning)/.test(name))
          .reduce((total, { tokens }) => total + tokens, 0);
      expect([sum('input'), sum('output')]).toEqual([usage.prompt, usage.completion]);
      expect(new Set(classes.map(({ class: name }) => name)).size).toBe(classes.length);
    }),
  );
});

test.each([
  ['tool:web_search', true],
  ['tool:', false],
  ['tool:Web', false],
  ['tool:a b', false],
  [`tool:${'a'.repeat(41)}`, false],
  ['tools', false],
])('%s is a class: %s', (text, isClass) => {
  expect(isTokenClass(text)).toBe(isClass);
});

test('an amount beyond a safe integer stays exact', () => {
  const lines = [{ class: 'output' as const, tokens: 9_007_199_254_740_991, price: 10n ** 13n }];
  expect(exactAmount(lines)).toBe(9_007_199_254_740_991n * 10n ** 13n);
});

describe('variants', () => {
  const priority = [
    ...list,
    { class: 'input', from: 0, variant: 'priority', microFen: 6_000n },
    { class: 'input', from: 200_000, variant: 'priority', microFen: 9_000n },
  ] as const satisfies readonly ModelPrice[];
  const inputPrice = (variant: string, prompt: number) =>
    linesOf(priority, tokenUsage({ prompt, variant }))[0]?.price;

  test('the service tier of the response determines the price', () => {
    expect(inputPrice('priority', 10)).toBe(6_000n);
    expect(inputPrice('priority', 200_000)).toBe(9_000n);
    expect(inputPrice('', 200_000)).toBe(3_000n);
  });

  test('a class without a price in the variant has the standard price', () => {
    const [output] = linesOf(priority, tokenUsage({ completion: 5, variant: 'priority' }));
    expect(output).toEqual({ class: 'output', tokens: 5, price: 15_000n });
    expect(inputPrice('flex', 10)).toBe(3_000n);
  });

  test('the standard tier in a response selects no variant', () => {
    const usage = { prompt_tokens: 1 };
    expect(readTokenUsage(usage, 'priority')?.variant).toBe('priority');
    expect(readTokenUsage(usage, 'default')?.variant).toBe('');
    const anthropic = { input_tokens: 1, service_tier: 'standard' };
    expect(usageOfMessages(mergeUsage(null, anthropic))?.variant).toBe('');
  });
});
