// Money from a hosted checkout, and codes that become vouchers. Money is micro-fen in 64 bits and
// is read as text, never as a number.
import type { ColumnType } from 'kysely';
import type { Instant, NullableInstant } from './columns.ts';

export type TopUpState =
  /** Written down here; the provider has not answered yet. */
  | 'begun'
  | 'open'
  /** Completed, and the money is still on its way. */
  | 'processing'
  | 'expired'
  | 'failed'
  /** What was paid is not what was asked for: nothing is credited, operators see it. */
  | 'refused'
  | 'credited';

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
