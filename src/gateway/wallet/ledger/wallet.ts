// The wallet as the call path sees it: open (reserve), remeasure, then settle (capture) or release.
// Whatever it answers is on disk; what it does not answer may have happened, and recovery finds it.
import type { MicroFen } from '../../../kernel/money.ts';
import type { Allocation } from './allocate-capture.ts';

export type AuthorizeRequest = {
  /** `req_…`, made by the door; never used twice. */
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly keyId: string;
  readonly capability: string;
  /** Null: never charged. */
  readonly sku: string | null;
  readonly priceVersion: number;
  readonly unit: 'per_call' | 'per_minute';
  /** What is held for: calls, or seconds. */
  readonly quantity: number;
  /** To hold; 0 for what is free. */
  readonly amount: MicroFen;
  readonly maxCharge: MicroFen | null;
  readonly budget: Budget | null;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** Calls allowed per Shanghai day and month. */
  readonly quotas: { readonly day: number; readonly month: number };
  /** Epoch milliseconds after which recovery settles the hold. */
  readonly deadlineAt: number;
};

export type BudgetPeriod = 'day' | 'month' | 'total';
export type Budget = { readonly amount: MicroFen; readonly period: BudgetPeriod };

export type OriginalCall = {
  readonly requestId: string;
  readonly status: number;
  readonly completedAt: number;
};

export type QuotaUse = {
  readonly day: { readonly used: number; readonly resetsAt: number };
  readonly month: { readonly used: number; readonly resetsAt: number };
};

/** The idempotency key is taken: by a finished call, a running one, or one that asked otherwise. */
export type IdempotencyConflict =
  | { readonly kind: 'duplicate'; readonly original: OriginalCall }
  | { readonly kind: 'in_progress'; readonly requestId: string }
  | { readonly kind: 'reused'; readonly requestId: string };

export type InsufficientBalance = {
  readonly kind: 'insufficient';
  readonly required: MicroFen;
  readonly available: MicroFen;
  /** When the next free allowance begins. */
  readonly resetsAt: number;
};

export type BudgetExceeded = {
  readonly kind: 'budget_exceeded';
  readonly required: MicroFen;
  readonly available: MicroFen;
  /** Null: a budget in total, which never begins anew. */
  readonly resetsAt: number | null;
};

/** As far as a price could not be covered. */
export type InsufficientFunds = InsufficientBalance | BudgetExceeded;

export type AuthorizeResult =
  | {
      readonly kind: 'opened';
      readonly allocations: readonly Allocation[];
      readonly quotas: QuotaUse;
    }
  | IdempotencyConflict
  | InsufficientBalance
  | BudgetExceeded
  | {
      readonly kind: 'quota_exceeded';
      readonly quota: 'day' | 'month';
      readonly resetsAt: number;
      readonly quotas: QuotaUse;
    };

export type CaptureRequest = {
  readonly requestId: string;
  /** At most what is held; the rest goes back. */
  readonly captured: MicroFen;
  readonly usage: object;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
};

export type Wallet = {
  /** The idempotency key alone, before quota and price; `open` looks again. */
  findIdempotencyKey(query: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly key: string;
    readonly fingerprint: string;
  }): Promise<IdempotencyConflict | null>;
  /** Quota, cover, reserve, the key's claim and the row of the call: one durable statement. */
  authorize(opening: AuthorizeRequest): Promise<AuthorizeResult>;
  /** Changes a hold to the measured price; where it is not covered: released, the key is free. */
  adjust(
    requestId: string,
    next: { readonly quantity: number; readonly amount: MicroFen },
  ): Promise<
    { readonly kind: 'held'; readonly allocations: readonly Allocation[] } | InsufficientFunds
  >;
  /**
   * The stored answer and the capture, one durable transaction; `splitOf` is in the body already.
   * `lost`: recovery had released the hold, so the answer must not go out as charged.
   */
  capture(done: CaptureRequest): Promise<{ readonly kind: 'settled' } | { readonly kind: 'lost' }>;
  /** Everything back to its sources, the key free, the quota given back. */
  release(failed: {
    readonly requestId: string;
    readonly status: number;
    readonly code: string;
  }): Promise<void>;
  close(): Promise<void>;
};
