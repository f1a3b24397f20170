// Defines price lists: SKUs with prices in micro-fen, and a version. A call stores the version of
// its price, so a new list does not affect running calls.
import { assert } from '../../kernel/errors/assert.ts';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../kernel/money.ts';
import type { Quote } from '../capabilities/capability.ts';

export type Sku = NonNullable<Quote['sku']>;

export type PriceList = {
  readonly version: number;
  /** Price of one call, or of one started second. */
  readonly prices: Readonly<Record<Sku, MicroFen>>;
};

export const skus = ['social_data', 'transcribe', 'svc_image', 'ocr'] as const satisfies Sku[];

/** Specification: 3600 fen per 1000 calls; 6 fen a minute. Operators create later lists. */
export const shippedPrices: PriceList = {
  version: 1,
  prices: {
    social_data: (3600n * MICRO_FEN_PER_FEN) / 1000n,
    transcribe: (6n * MICRO_FEN_PER_FEN) / 60n,
    svc_image: 0n,
    ocr: 0n,
  },
};

/** `quantity` is a number of calls or of seconds. */
export function priceOf(
  { prices }: PriceList,
  { sku, quantity }: Pick<Quote, 'sku' | 'quantity'>,
): MicroFen {
  assert(
    Number.isSafeInteger(quantity) && quantity >= 0,
    `the quantity must be a whole number, not ${quantity}`,
  );
  return sku === null ? 0n : prices[sku] * BigInt(quantity);
}
