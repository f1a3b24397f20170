// Parses a refund of the provider: whether it succeeded or failed, its amount, and which of two
// versions is newer.
import { z } from 'zod';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../../kernel/money.ts';
import type { RefundRow, RefundStatus } from '../../../store/gateway/top-up-refunds.ts';

/**
 * A refund may fail after it succeeded, when the customer's bank returns it. A failed refund is
 * final.
 */
const statusOrder: Readonly<Record<RefundStatus, number>> = {
  requires_action: 0,
  pending: 1,
  succeeded: 2,
  failed: 3,
  canceled: 3,
};

/** The used fields of https://docs.stripe.com/api/refunds/object. */
const refundSchema = z.looseObject({
  id: z.string().min(1).max(255),
  amount: z.int().min(0),
  currency: z.string().max(10),
  status: z.enum(['requires_action', 'pending', 'succeeded', 'failed', 'canceled']),
  created: z.int().min(0),
  failure_reason: z.string().max(100).nullish(),
});

/** https://docs.stripe.com/api/refunds/list; a payment seldom has more than one refund. */
export const refundsSchema = z.looseObject({ data: z.array(refundSchema).max(100) });

export type ProviderRefund = {
  readonly id: string;
  /** Null: the refund is in another currency, so the whole payment counts as refunded. */
  readonly amount: MicroFen | null;
  readonly status: RefundStatus;
  /** Increases as a refund progresses. */
  readonly rank: number;
  /** The provider's reason for a failure. */
  readonly reason: string | null;
  /** Epoch milliseconds. */
  readonly begunAt: number;
};

export function parseRefund(wire: z.output<typeof refundSchema>): ProviderRefund {
  const { id, status, amount, currency, created } = wire;
  return {
    id,
    status,
    rank: statusOrder[status],
    reason: wire.failure_reason ?? null,
    amount: currency === 'cny' ? BigInt(amount) * MICRO_FEN_PER_FEN : null,
    begunAt: created * 1000,
  };
}

/** Whether the refund failed, so that the merchant has the money. */
export const hasFailed = ({ status }: Pick<RefundRow, 'status'>): boolean =>
  status === 'failed' || status === 'canceled';

/**
 * Refunded amount of a top-up. `total` is the charge's total, which may include refunds that failed
 * later; `before` is the previous amount. Without a list of refunds the larger of these two is
 * returned, since responses can be out of order.
 */
export function refundedAmount(
  refunds: readonly Pick<RefundRow, 'amount' | 'status'>[],
  { total, before }: { readonly total: MicroFen; readonly before: MicroFen },
): MicroFen {
  if (refunds.length === 0) return total > before ? total : before;
  let [activeAmount, failedAmount] = [0n, 0n];
  for (const refund of refunds) {
    if (hasFailed(refund)) failedAmount += refund.amount;
    else activeAmount += refund.amount;
  }
  return activeAmount > total - failedAmount ? activeAmount : total - failedAmount;
}
