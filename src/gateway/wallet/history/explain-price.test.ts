import { expect, test } from 'vitest';
import { explainPrice, type PricedCall } from './explain-price.ts';

const call: PricedCall = {
  sku: 'transcribe',
  priceVersion: 3,
  unit: 'per_minute',
  quantity: 60,
  held: 6_000_000n,
  captured: 6_000_000n,
  books: ['allowance:2026-08-22', 'voucher:a', 'cash'],
  parts: [1_000_000n, 2_000_000n, 3_000_000n],
  usage: { unit: 'per_minute', quantity: 60, increment: 'second' },
};

test('a charge is price times quantity, and uses its sources in order', () => {
  expect(explainPrice(call, true)).toEqual({
    version: 3,
    sku: 'transcribe',
    unit: 'second',
    unitPrice: 100_000n,
    quantity: 60,
    held: 6_000_000n,
    charged: 6_000_000n,
    released: 0n,
    parts: [
      {
        source: 'allowance',
        balance: 'allowance:2026-08-22',
        amount: 1_000_000n,
        charged: 1_000_000n,
        released: 0n,
      },
      {
        source: 'voucher',
        balance: 'voucher:a',
        amount: 2_000_000n,
        charged: 2_000_000n,
        released: 0n,
      },
      { source: 'cash', balance: 'cash', amount: 3_000_000n, charged: 3_000_000n, released: 0n },
    ],
  });
});

test('the uncharged part of a hold returns to the last source first', () => {
  const partialCharge = { ...call, captured: 2_500_000n, usage: { quantity: 25 } };
  const explanation = explainPrice(partialCharge, true);
  expect([explanation.quantity, explanation.charged, explanation.released]).toEqual([
    25,
    2_500_000n,
    3_500_000n,
  ]);
  expect(explanation.parts.map(({ charged, released }) => [charged, released])).toEqual([
    [1_000_000n, 0n],
    [1_500_000n, 500_000n],
    [0n, 3_000_000n],
  ]);
});

test('a failed call releases its whole hold, a running call releases nothing', () => {
  const failedCall = explainPrice({ ...call, captured: null, usage: null }, true);
  expect([failedCall.charged, failedCall.released]).toEqual([null, 6_000_000n]);
  expect(failedCall.parts.map(({ charged }) => charged)).toEqual([0n, 0n, 0n]);
  const runningCall = explainPrice({ ...call, captured: null, usage: null }, false);
  expect([runningCall.charged, runningCall.released]).toEqual([null, 0n]);
  expect(runningCall.parts.map(({ charged, released }) => [charged, released])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
});

test('a free call has the price zero', () => {
  const freeCall = { ...call, sku: 'ocr', unit: 'per_call', quantity: 1, held: 0n, captured: 0n };
  const explanation = explainPrice(
    { ...freeCall, books: [], parts: [], usage: { quantity: 1 } },
    true,
  );
  expect([explanation.unitPrice, explanation.charged, explanation.unit, explanation.parts]).toEqual(
    [0n, 0n, 'call', []],
  );
});
