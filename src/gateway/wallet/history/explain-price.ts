// Explains the price of a call: its price list, its quantity, the charged balances in spending
// order, and the released part of the hold. Everything is computed from the call's row.

import type { MicroFen } from '../../../kernel/money.ts';
import { holdParts } from '../../../store/ledger/decode-result.ts';
import { type Allocation, allocationsOf, splitCharge } from '../ledger/allocate-capture.ts';

export type PricedCall = {
  readonly sku: string | null;
  readonly priceVersion: number;
  readonly unit: string;
  readonly quantity: number;
  readonly held: MicroFen;
  readonly captured: MicroFen | null;
  /** Balances of the hold in spending order, and the held part of each. */
  readonly books: readonly string[];
  readonly parts: readonly MicroFen[];
  readonly usage: Readonly<Record<string, unknown>> | null;
};

/** A part of the hold, with its balance. */
export type PricePart = Allocation & {
  /** Charged part of this balance's hold; null while the call runs. */
  readonly charged: MicroFen | null;
  readonly released: MicroFen | null;
};

export type PriceExplanation = {
  /** Version of the price list. */
  readonly version: number;
  readonly sku: string | null;
  /** `token`: each line of the call has its own price, so the call has no single unit price. */
  readonly unit: 'call' | 'second' | 'token';
  /** Per call or per started second; the whole charge of a call by token. */
  readonly unitPrice: MicroFen;
  /** Billed units. For a running or failed call: the held units. */
  readonly quantity: number;
  readonly held: MicroFen;
  /** Null: not charged, because the call runs or has failed. */
  readonly charged: MicroFen | null;
  readonly released: MicroFen;
  /** In spending order. */
  readonly parts: readonly PricePart[];
};

/** `isFinal`: the call has ended, so its charge no longer changes. */
export function explainPrice(call: PricedCall, isFinal: boolean): PriceExplanation {
  const allocations = allocationsOf(holdParts(call.books, call.parts));
  const { captured } = call;
  const charged = captured ?? (isFinal ? 0n : null);
  let remaining = charged ?? 0n;
  const parts = allocations.map((part) => {
    const covered = part.amount < remaining ? part.amount : remaining;
    remaining -= covered;
    const isKnown = charged !== null;
    return {
      ...part,
      charged: isKnown ? covered : null,
      released: isKnown ? part.amount - covered : null,
    };
  });
  const billedQuantity = Number(call.usage?.quantity);
  const isByToken = call.unit === 'per_token';
  const quantity =
    captured !== null && Number.isSafeInteger(billedQuantity) ? billedQuantity : call.quantity;
  return {
    version: call.priceVersion,
    sku: call.sku,
    parts,
    held: call.held,
    unit: isByToken ? 'token' : call.unit === 'per_minute' ? 'second' : 'call',
    unitPrice: isByToken ? (charged ?? call.held) : unitPriceOf(call),
    quantity,
    charged: captured,
    released: isFinal ? call.held - (captured ?? 0n) : 0n,
  };
}

const unitPriceOf = ({ held, quantity }: PricedCall) =>
  quantity > 0 ? held / BigInt(quantity) : 0n;

/** The split of a charge by source; null: not charged. */
export function chargeSplitOf(call: PricedCall) {
  if (call.captured === null) return null;
  return splitCharge(allocationsOf(holdParts(call.books, call.parts)), call.captured);
}
