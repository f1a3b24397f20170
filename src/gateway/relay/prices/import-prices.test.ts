import { describe, expect, test } from 'vitest';
import type { ModelPriceRow } from '../../../store/gateway/model-prices.ts';
import { comparePrices, importLitellm, mergePrices } from './import-prices.ts';
import { openInputRatios, percentileOf } from './input-ratio.ts';

const options = { ratePpm: 7_200_000n, marginPpm: 200_000n, models: null };

test('reads amounts as decimals and rounds up once', () => {
  const file = `{
    "sample_spec": { "input_cost_per_token": 1 },
    "m": { "input_cost_per_token": 3e-06, "output_cost_per_token": 0.000015, "max_tokens": 8192,
      "cache_creation_input_token_cost_above_1hr": 6.0e-6, "mode": "chat",
      "input_cost_per_token_above_200k_tokens": 0.0000060000000000000001,
      "input_cost_per_token_priority": 9e-06, "output_cost_per_reasoning_token": null }
  }`;
  const { rows } = importLitellm(file, options);
  const amounts = rows.map((row) => [row.class, row.from, row.microFen, row.variant]);
  // 3 USD a million tokens × 7.2 × 1.2 = 25.92 CNY.
  expect(amounts).toEqual([
    ['input', 0, 2_592_000_000n, ''],
    ['output', 0, 12_960_000_000n, ''],
    ['cache_write_long', 0, 5_184_000_000n, ''],
    ['input', 200_000, 5_184_000_001n, ''],
    ['input', 0, 7_776_000_000n, 'priority'],
  ]);
  expect(importLitellm(file, { ...options, models: new Set(['other']) }).rows).toEqual([]);
});

test.each(['[]', '{', '"x"'])('refuses %s', (text) => {
  expect(() => importLitellm(text, options)).toThrow(/price file/);
});

const row = (
  model: string,
  microFen: bigint,
  overrides: Partial<ModelPriceRow> = {},
): ModelPriceRow => ({
  model,
  class: 'input',
  from: 0,
  variant: '',
  microFen,
  origin: 'import',
  ...overrides,
});

describe('an import', () => {
  test('reports a large change when a price disappears, becomes zero or changes threefold', () => {
    const before = [row('a', 10n), row('b', 10n), row('c', 10n), row('d', 10n)];
    const after = [row('b', 0n), row('c', 30n), row('d', 12n), row('e', 5n)];
    const changes = comparePrices(before, after);
    expect(changes.map(({ model, isLargeChange }) => [model, isLargeChange])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
      ['d', false],
      ['e', false],
    ]);
  });

  test('keeps the manual price of a class in all tiers, and removes absent models', () => {
    const manual = row('a', 1n, { origin: 'manual' });
    const merged = mergePrices(
      [manual, row('gone', 2n)],
      [row('a', 5n), row('a', 6n, { from: 200_000 }), row('a', 7n, { class: 'output' })],
      null,
    );
    expect(merged.map((price) => price.microFen)).toEqual([1n, 7n]);
  });

  test('changes only the selected models', () => {
    const merged = mergePrices([row('a', 1n), row('b', 2n)], [row('b', 3n)], new Set(['b']));
    expect(merged.map(({ model, microFen }) => [model, microFen])).toEqual([
      ['a', 1n],
      ['b', 3n],
    ]);
  });
});

describe('the ratio of tokens to bytes', () => {
  test('begins at 0.75 and follows the 99.9th percentile of the calls', () => {
    const ratios = openInputRatios();
    expect(ratios.ratioOf('m')).toBe(0.75);
    for (let index = 0; index < 1_000; index += 1)
      ratios.record('m', { bytes: 1_000, tokens: index < 5 ? 900 : 300 });
    expect(ratios.ratioOf('m')).toBe(0.9);
    expect(ratios.ratioOf('other')).toBe(0.75);
  });

  test('stays between 0.35 and 1', () => {
    expect(percentileOf(new Float64Array(2_000).fill(0.1))).toBe(0.35);
    expect(percentileOf(new Float64Array(2_000).fill(7))).toBe(1);
  });
});
