import { expect, test } from 'vitest';
import { formatCny } from '../../kernel/money.ts';
import { priceOf, shippedPrices } from './prices.ts';

test.each([
  ['social_data', 1, '0.036'],
  ['social_data', 1000, '36'],
  // 61.2 seconds are 62 started seconds: exactly 6.2 fen.
  ['transcribe', 62, '0.062'],
  ['transcribe', 60, '0.06'],
  ['ocr', 1, '0'],
  ['svc_image', 1, '0'],
  [null, 1, '0'],
] as const)('%s × %d costs %s CNY', (sku, quantity, cost) => {
  expect(formatCny(priceOf(shippedPrices, { sku, quantity }))).toBe(cost);
});

test('refuses a fraction of a call', () => {
  expect(() => priceOf(shippedPrices, { sku: 'ocr', quantity: 0.5 })).toThrow('whole number');
});
