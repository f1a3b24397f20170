import { expect, test } from 'vitest';
import type { PriceVersion } from '../../store/gateway/price-lists.ts';
import { unitPriceOf } from './plan-prices.ts';
import { findListAt } from './price-lists.ts';
import { shippedPrices } from './prices.ts';

const versionOf = (version: number, startsAt: number, fields: Partial<PriceVersion> = {}) => ({
  version,
  startsAt,
  madeAt: 0,
  actor: 'Ada',
  reason: 'x',
  withdrawnAt: null,
  figures: { social_data: BigInt(version) },
  modelVersion: null,
  ...fields,
});

test('the list with the latest past start applies, and a withdrawn list never applies', () => {
  const versions = [versionOf(2, 300), versionOf(3, 100), versionOf(4, 200, { withdrawnAt: 50 })];
  const versionAt = (now: number) => findListAt(versions, now).version;
  expect([99, 100, 250, 299, 300, 10_000].map(versionAt)).toEqual([1, 3, 3, 3, 2, 2]);
});

test('a SKU that a list omits has its shipped price', () => {
  const { prices } = findListAt([versionOf(2, 0)], 1);
  expect(prices).toEqual({ ...shippedPrices.prices, social_data: 2n });
});

test.each([
  ['social_data', 3_600_000_000n, 3_600_000n],
  ['social_data', 500_000n, { kind: 'step', step: 1_000_000n }],
  ['transcribe', 6_000_000n, 100_000n],
  ['transcribe', 4_000_000n, { kind: 'step', step: 3_000_000n }],
  ['ocr', 1n, 1n],
  ['ocr', -1n, { kind: 'too_high', max: 100_000_000_000n }],
  ['svc_image', 100_000_000_001n, { kind: 'too_high', max: 100_000_000_000n }],
] as const)('the unit price of %s for a displayed price of %d is %o', (sku, displayed, unit) => {
  expect(unitPriceOf(sku, displayed)).toEqual(unit);
});
