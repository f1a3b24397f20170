// Money from a hosted checkout, and codes that become vouchers. Money is micro-fen in 64 bits and
// is read as text, never as a number.
import type { ColumnType, Generated } from 'kysely';
import type { Instant, NullableInstant } from './columns.ts';

export type TopUpState =
  /** Written down here; the provider has not answered yet. */
  | 'begun'
  | 'open'
  /** Completed, and the money is still on its way. */
  | 'processing'
  | 'expired'
  | 'failed'
  /**
   * The paid amount differs from the requested one: nothing is credited, and operators are
   * notified.
   */
  | 'refused'
  /** It was refused, and an operator has settled it elsewhere: it is never credited. */
  | 'closed'
  | 'credited';

/** As the provider names them: https://docs.stripe.com/api/disputes/object */
export type DisputeStatus =
  /** A question before any dispute; no money is held back. */
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
  /** Given back before it became a dispute. */
  | 'prevented';

/** As the provider names them: https://docs.stripe.com/api/refunds/object */
export type RefundStatus = 'requires_action' | 'pending' | 'succeeded' | 'failed' | 'canceled';

export type TopUpsSchema = {
  top_ups: {
    id: string;
    account_id: string;
    amount: ColumnType<bigint, string, never>;
    state: TopUpState;
    session_id: string | null;
    session_url: string | null;
    provider_live: boolean | null;
    payment_intent: string | null;
    problem: string | null;
    begun_at: Instant;
    looked_at: Instant;
    look_at: NullableInstant;
    credited_at: NullableInstant;
    refunded: ColumnType<bigint, never, string>;
    taken_back: ColumnType<bigint, never, string>;
    disputed: ColumnType<bigint, never, string>;
    forgiven: ColumnType<bigint, never, string>;
    moves: Generated<number>;
    /** What is due and neither taken back nor forgiven, as the database reckons it. */
    owed: ColumnType<bigint, never, never>;
  };
  top_up_disputes: {
    id: string;
    top_up_id: string;
    amount: ColumnType<bigint, string, string>;
    reason: string;
    status: DisputeStatus;
    rank: number;
    withheld: boolean;
    opened_at: Instant;
    answer_by: NullableInstant;
  };
  top_up_refunds: {
    id: string;
    top_up_id: string;
    amount: ColumnType<bigint, string, string>;
    status: RefundStatus;
    rank: number;
    reason: string | null;
    begun_at: Instant;
  };
  voucher_batches: {
    id: string;
    name: string;
    amount: ColumnType<bigint, string, never>;
    count: number;
    days_valid: number;
    redeem_until: Instant;
    one_per_account: boolean;
    made_at: Instant;
    made_by: string;
    withdrawn_at: NullableInstant;
  };
  voucher_codes: {
    hash: Buffer;
    batch_id: string;
    redeemed_by: string | null;
    redeemed_at: NullableInstant;
    voucher_id: string | null;
  };
};
