// What is for sale and what it costs: a price list with a version, in micro-fen. A call carries the
// version it was priced with, so a new list never touches calls in flight.
import { assert } from '../../kernel/errors/assert.ts';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../kernel/money.ts';
import type { Quote } from '../capabilities/capability.ts';

export type Sku = NonNullable<Quote['sku']>;

export type PriceList = {
  readonly version: number;
  /** The version whose prices of models hold; null: none. */
  readonly modelVersion: number | null;
  /** Of one call, or of one started second. */
  readonly prices: Readonly<Record<Sku, MicroFen>>;
};

export const skus = ['social_data', 'transcribe', 'svc_image', 'ocr'] as const satisfies Sku[];

/** Specification: 3600 fen per 1000 calls; 6 fen a minute. Later lists are an operator's. */
export const shippedPrices: PriceList = {
  version: 1,
  modelVersion: null,
  prices: {
    social_data: (3600n * MICRO_FEN_PER_FEN) / 1000n,
    transcribe: (6n * MICRO_FEN_PER_FEN) / 60n,
    svc_image: 0n,
    ocr: 0n,
  },
};

/** `quantity`: whole calls or whole seconds. */
export function priceOf(
  { prices }: PriceList,
  { sku, quantity }: Pick<Quote, 'sku' | 'quantity'>,
): MicroFen {
  assert(Number.isSafeInteger(quantity) && quantity >= 0, `a whole quantity, not ${quantity}`);
  return sku === null ? 0n : prices[sku] * BigInt(quantity);
}
