// A refund as the provider tells it, and what of it matters to money: whether it has gone to the
// customer, or failed afterwards, how much of it, and which of two tellings is the later one.
import { z } from 'zod';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../../kernel/money.ts';
import type { RefundRow, RefundStatus } from '../../../store/gateway/top-up-refunds.ts';

/** One may fail after it succeeded: the customer's bank sends it back. Failed is for good. */
const order: Readonly<Record<RefundStatus, number>> = {
  ...{ requires_action: 0, pending: 1, succeeded: 2, failed: 3, canceled: 3 },
};

/** https://docs.stripe.com/api/refunds/object, of which only this is read. */
const refundSchema = z.looseObject({
  id: z.string().min(1).max(255),
  amount: z.int().min(0),
  currency: z.string().max(10),
  status: z.enum(['requires_action', 'pending', 'succeeded', 'failed', 'canceled']),
  created: z.int().min(0),
  failure_reason: z.string().max(100).nullish(),
});

/** https://docs.stripe.com/api/refunds/list; a payment has one, seldom a few. */
export const refundsSchema = z.looseObject({ data: z.array(refundSchema).max(100) });

export type SeenRefund = {
  readonly id: string;
  /** Null: in another currency, so that all of the payment counts. */
  readonly amount: MicroFen | null;
  readonly status: RefundStatus;
  /** Grows as a refund goes on. */
  readonly rank: number;
  /** Why it failed, in the provider's word. */
  readonly reason: string | null;
  /** Epoch milliseconds. */
  readonly begunAt: number;
};

export function seenRefund(told: z.output<typeof refundSchema>): SeenRefund {
  const { id, status, amount, currency, created } = told;
  return {
    ...{ id, status, rank: order[status], reason: told.failure_reason ?? null },
    amount: currency === 'cny' ? BigInt(amount) * MICRO_FEN_PER_FEN : null,
    begunAt: created * 1000,
  };
}

/** Whether the money has stayed with, or come back to, the merchant. */
export const hasFailed = ({ status }: Pick<RefundRow, 'status'>): boolean =>
  status === 'failed' || status === 'canceled';

/**
 * What is given back of a top-up. `told`: what the charge says, which may or may not count refunds
 * that failed since; `before`: what was known. A checkout that lists none is believed the charge,
 * and never less of it than before, since answers overtake each other.
 */
export function givenBack(
  refunds: readonly Pick<RefundRow, 'amount' | 'status'>[],
  { told, before }: { readonly told: MicroFen; readonly before: MicroFen },
): MicroFen {
  if (refunds.length === 0) return told > before ? told : before;
  let [alive, failed] = [0n, 0n];
  for (const refund of refunds) {
    if (hasFailed(refund)) failed += refund.amount;
    else alive += refund.amount;
  }
  return alive > told - failed ? alive : told - failed;
}
