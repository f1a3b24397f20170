// Tables of asynchronous jobs and of stored call requests.
import type { Instant, Json, NullableInstant, NullableJson } from './columns.ts';

export type JobStatus =
  | 'accepting'
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'expired'
  | 'canceled';

export type JobTerms = {
  readonly sku: string | null;
  readonly unit: string;
  readonly increment: string;
  /** Micro-fen, as decimal text. */
  readonly unitPrice: string;
  readonly maxCharge: string | null;
};

/** A part of the hold; `amount` in micro-fen, as decimal text. */
export type JobAllocation = {
  readonly source: 'allowance' | 'voucher' | 'cash';
  readonly book: string;
  readonly amount: string;
};

export type JobWork =
  /**
   * No provider has the job. `tried` lists the providers that refused it in this round, and
   * `rounds` counts the earlier rounds, in which all providers refused it.
   */
  | { readonly step: 'new'; readonly tried: readonly string[]; readonly rounds: number }
  /**
   * The request to `provider` may have been sent, and its outcome is unknown: the sending process
   * may have ended.
   */
  | {
      readonly step: 'asking';
      readonly provider: string | null;
      /** Epoch milliseconds. */
      readonly at: number;
      /** The time when the request ended without a result; absent: it may still be running. */
      readonly endedAt?: number;
      readonly tried: readonly string[];
      readonly rounds: number;
    }
  /** The provider runs the task `taskId`. `misses` counts consecutive failed polls. */
  | {
      readonly step: 'asked';
      readonly provider: string;
      readonly taskId: string;
      readonly polls: number;
      readonly misses: number;
    };

export type JobError = {
  readonly code: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  readonly members?: Readonly<Record<string, unknown>>;
};

export type JobEnding =
  | {
      readonly kind: 'succeeded';
      readonly result: unknown;
      /** Micro-fen, as decimal text. */
      readonly captured: string;
      readonly usage: unknown;
      /** The response that the ledger stores. */
      readonly body: string;
    }
  | { readonly kind: 'failed'; readonly error: JobError }
  | { readonly kind: 'expired'; readonly error: JobError }
  | { readonly kind: 'canceled' };

export type JobsSchema = {
  call_requests: {
    request_id: string;
    account_id: string;
    livemode: boolean;
    body: string;
    is_redacted: boolean;
    kept_until: Instant;
  };
  request_log_off: { account_id: string };
  jobs: {
    id: string;
    request_id: string;
    account_id: string;
    livemode: boolean;
    capability: string;
    input: Json<unknown>;
    terms: Json<JobTerms>;
    allocations: Json<readonly JobAllocation[]>;
    idempotency_key: string | null;
    fingerprint: string | null;
    accepted: string | null;
    status: JobStatus;
    progress: number | null;
    work: Json<JobWork>;
    task: string | null;
    ending: NullableJson<JobEnding>;
    result: NullableJson<unknown>;
    error: NullableJson<JobError>;
    created_at: Instant;
    updated_at: Instant;
    expires_at: Instant;
    ended_at: NullableInstant;
    due_at: NullableInstant;
    claim: string | null;
    claimed_until: NullableInstant;
  };
};
