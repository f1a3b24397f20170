// Parses a dispute of the provider: whether the bank holds the payment back, the amount, and which
// of two versions is newer.
import { z } from 'zod';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../../kernel/money.ts';
import type { DisputeStatus } from '../../../store/gateway/top-up-disputes.ts';

const statuses = [
  ...(['warning_needs_response', 'warning_under_review', 'warning_closed'] as const),
  ...(['needs_response', 'under_review', 'won', 'lost', 'prevented'] as const),
] as const satisfies readonly DisputeStatus[];

/** The used fields of https://docs.stripe.com/api/disputes/object. */
const disputeSchema = z.looseObject({
  id: z.string().min(1).max(255),
  amount: z.int().min(0),
  currency: z.string().max(10),
  reason: z.string().max(100).nullish(),
  status: z.enum(statuses),
  created: z.int().min(0),
  // "Zero, one, or two": the money that was withdrawn, and the money that came back.
  balance_transactions: z.array(z.unknown()).nullish(),
  evidence_details: z.looseObject({ due_by: z.int().min(0).nullish() }).nullish(),
});

/** https://docs.stripe.com/api/disputes/list; a payment seldom has more than one dispute. */
export const disputesSchema = z.looseObject({ data: z.array(disputeSchema).max(100) });

export type ProviderDispute = {
  readonly id: string;
  /** Null: the dispute is in another currency, so the whole payment counts as disputed. */
  readonly amount: MicroFen | null;
  readonly reason: string;
  readonly status: DisputeStatus;
  /** Increases as a dispute progresses. */
  readonly rank: number;
  /** The bank holds the money. */
  readonly isWithheld: boolean;
  /** Start and deadline for a response, in epoch milliseconds. */
  readonly openedAt: number;
  readonly answerBy: number | null;
};

/** An inquiry may become a dispute, but not the reverse. Decided states come last. */
const statusOrder: Readonly<Record<DisputeStatus, number>> = {
  warning_needs_response: 0,
  warning_under_review: 1,
  warning_closed: 2,
  needs_response: 3,
  under_review: 4,
  won: 5,
  lost: 5,
  prevented: 5,
};

/**
 * States in which the bank holds the money. A won dispute returns it, and an inquiry does not take
 * it.
 */
const withholdingStatuses: ReadonlySet<DisputeStatus> = new Set([
  'needs_response',
  'under_review',
  'lost',
]);

export function parseDispute(wire: z.output<typeof disputeSchema>): ProviderDispute {
  const { status } = wire;
  const dueSeconds = wire.evidence_details?.due_by ?? null;
  // If two versions have the same status, the later version has more movements of money. One
  // decimal digit of the rank counts them.
  const movementCount = Math.min(wire.balance_transactions?.length ?? 0, 9);
  return {
    id: wire.id,
    status,
    reason: wire.reason ?? 'general',
    amount: wire.currency === 'cny' ? BigInt(wire.amount) * MICRO_FEN_PER_FEN : null,
    rank: statusOrder[status] * 10 + movementCount,
    isWithheld: withholdingStatuses.has(status),
    openedAt: wire.created * 1000,
    answerBy: dueSeconds === null ? null : dueSeconds * 1000,
  };
}
