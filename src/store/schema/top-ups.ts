// Tables of top-ups by a hosted checkout, and of voucher codes. Money is micro-fen in 64 bits and
// is read as text, never as a number.
import type { ColumnType, Generated } from 'kysely';
import type { Instant, NullableInstant } from './columns.ts';

export type TopUpState =
  /** The top-up is stored; the provider has not confirmed it yet. */
  | 'begun'
  | 'open'
  /** The checkout is completed, and the payment is still pending. */
  | 'processing'
  | 'expired'
  | 'failed'
  /**
   * The paid amount differs from the requested amount: nothing is credited, and operators are
   * notified.
   */
  | 'refused'
  /** The top-up was refused, and an operator has resolved it elsewhere. It is never credited. */
  | 'closed'
  | 'credited';

/** Names of the payment provider: https://docs.stripe.com/api/disputes/object */
export type DisputeStatus =
  /** An inquiry before a dispute; no money is withheld. */
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
  /** The payment was refunded before a dispute began. */
  | 'prevented';

/** Names of the payment provider: https://docs.stripe.com/api/refunds/object */
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
    /**
     * The debt: refunds and disputes that were neither reclaimed nor forgiven. The database
     * computes it.
     */
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
