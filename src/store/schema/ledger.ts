// Tables of the ledger, which only its database functions write. Money is micro-fen in 64 bits and
// is read as text (`::text`, then `microFen`), never as a number.
import type { ColumnType } from 'kysely';
import type { Instant, NullableInstant, NullableJson } from './columns.ts';

export type CallState = 'held' | 'unknown' | 'captured' | 'released' | 'expired';

export type LedgerSchema = {
  wallets: {
    account_id: string;
    livemode: boolean;
    day: string;
    day_calls: number;
    month: string;
    month_calls: number;
    /** The day that was started last. */
    begun: ColumnType<string, string | undefined, string>;
    /** The first balance in spending order with money left, since `front_since`. */
    front: string | null;
    front_since: NullableInstant;
  };
  books: {
    account_id: string;
    livemode: boolean;
    name: string;
    kind: 'allowance' | 'voucher' | 'cash' | 'platform';
    available: bigint;
    held: bigint;
    issued: bigint;
    label: string | null;
    expires_at: NullableInstant;
    opened_at: Instant;
  };
  key_spending: {
    account_id: string;
    livemode: boolean;
    key_id: string;
    day: string;
    day_spent: bigint;
    month: string;
    month_spent: bigint;
    total_spent: bigint;
  };
  entries: {
    seq: ColumnType<number, never, never>;
    account_id: string;
    livemode: boolean;
    kind: string;
    at: Instant;
    sources: string[];
    targets: string[];
    amounts: bigint[];
    requests: string[] | null;
    reference: string | null;
    reason: string | null;
    actor: string | null;
  };
  calls: {
    request_id: string;
    account_id: string;
    livemode: boolean;
    key_id: string;
    capability: string;
    sku: string | null;
    price_version: number;
    unit: string;
    quantity: number;
    amount: bigint;
    max_charge: bigint | null;
    budget: bigint | null;
    budget_period: string | null;
    books: string[];
    parts: bigint[];
    idempotency_key: string | null;
    freed_key: string | null;
    fingerprint: string | null;
    state: CallState;
    day: string;
    opened_at: Instant;
    deadline_at: Instant;
    completed_at: NullableInstant;
    captured: bigint | null;
    status: number | null;
    code: string | null;
    usage: NullableJson<Record<string, unknown>>;
  };
  idempotency_keys: {
    idempotency_key: string;
    account_id: string;
    livemode: boolean;
    request_id: string;
  };
  entry_references: { account_id: string; livemode: boolean; reference: string };
  usage_days: {
    account_id: string;
    livemode: boolean;
    day: string;
    key_id: string;
    capability: string;
    calls: number;
    succeeded: number;
    units: number;
    allowance: bigint;
    voucher: bigint;
    cash: bigint;
  };
  usage_progress: { only_row: boolean; through: Instant };
  usage_running: { request_id: string };
  deadlines: { account_id: string; livemode: boolean; opened_at: Instant; deadline_at: Instant };
  answers: { request_id: string; content_type: string; body: Buffer; kept_until: Instant };
  seals: {
    number: number;
    first_seq: number;
    last_seq: number;
    entries: number;
    hash: Buffer;
    sealed_at: Instant;
  };
  ledger_checkpoints: {
    number: number;
    seal: number;
    last_seq: number;
    opened_since: Instant;
    usage_through: Instant;
    usage_running: string[];
    usage_first_day: string;
    hash: Buffer;
    made_at: Instant;
  };
  checkpoint_balances: {
    checkpoint: number;
    account_id: string;
    livemode: boolean;
    book: string;
    request_id: string | null;
    amount: bigint;
  };
  checkpoint_usage: {
    checkpoint: number;
    account_id: string;
    livemode: boolean;
    day: string;
    key_id: string;
    capability: string;
    sums: string[];
  };
};
