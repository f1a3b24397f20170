// Defines the interface of the wallet for calls: authorize a hold, adjust it, then capture or
// release it. A returned result is durable. A method that rejects may have committed its change;
// recovery resolves the hold.
import type { MicroFen } from '../../../kernel/money.ts';
import type { Allocation } from './allocate-capture.ts';

export type AuthorizeRequest = {
  /** `req_…`, unique per request. */
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly keyId: string;
  readonly capability: string;
  /** Null: never charged. */
  readonly sku: string | null;
  readonly priceVersion: number;
  readonly unit: 'per_call' | 'per_minute' | 'per_token';
  /** Held units: calls, seconds or tokens. */
  readonly quantity: number;
  /** Amount to hold; 0 for a free call. */
  readonly amount: MicroFen;
  /** The caller's limit for the charge; null: none. */
  readonly maxCharge: MicroFen | null;
  readonly budget: SpendingBudget | null;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  /** Allowed calls per Shanghai day and month. */
  readonly quotas: { readonly day: number; readonly month: number };
  /** Epoch milliseconds. Recovery resolves the hold after this time. */
  readonly deadlineAt: number;
};

export type BudgetPeriod = 'day' | 'month' | 'total';
export type SpendingBudget = { readonly amount: MicroFen; readonly period: BudgetPeriod };

export type OriginalCall = {
  readonly requestId: string;
  readonly status: number;
  /** Epoch milliseconds. */
  readonly completedAt: number;
};

/** Calls of the account in the current day and month; the resets are in epoch milliseconds. */
export type QuotaUse = {
  readonly day: { readonly used: number; readonly resetsAt: number };
  readonly month: { readonly used: number; readonly resetsAt: number };
};

/** The idempotency key belongs to a finished call, a running call or a different request. */
export type IdempotencyConflict =
  | { readonly kind: 'duplicate'; readonly original: OriginalCall }
  | { readonly kind: 'in_progress'; readonly requestId: string }
  | { readonly kind: 'reused'; readonly requestId: string };

export type InsufficientBalance = {
  readonly kind: 'insufficient';
  readonly required: MicroFen;
  readonly available: MicroFen;
  /** Start of the next free allowance, epoch milliseconds. */
  readonly resetsAt: number;
};

export type BudgetExceeded = {
  readonly kind: 'budget_exceeded';
  readonly required: MicroFen;
  readonly available: MicroFen;
  /** Null: a total budget, which never resets. */
  readonly resetsAt: number | null;
};

/** The balance or the budget does not cover the price. */
export type InsufficientFunds = InsufficientBalance | BudgetExceeded;

export type AuthorizeResult =
  | {
      readonly kind: 'authorized';
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

export type AdjustResult =
  | { readonly kind: 'held'; readonly allocations: readonly Allocation[] }
  | InsufficientFunds;

export type CaptureRequest = {
  readonly requestId: string;
  /** At most the held amount. The rest returns to its sources. */
  readonly captured: MicroFen;
  readonly usage: object;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
};

export type Wallet = {
  /** Checks the idempotency key before quota and price. `authorize` checks it again. */
  findIdempotencyKey(query: {
    readonly accountId: string;
    readonly livemode: boolean;
    readonly key: string;
    readonly fingerprint: string;
  }): Promise<IdempotencyConflict | null>;
  /**
   * Checks quota and funds, holds the amount, claims the key and inserts the call, in one
   * transaction.
   */
  authorize(authorizeRequest: AuthorizeRequest): Promise<AuthorizeResult>;
  /** Changes a hold to the measured price. An uncovered hold is released and its key is freed. */
  adjust(
    requestId: string,
    next: { readonly quantity: number; readonly amount: MicroFen },
  ): Promise<AdjustResult>;
  /** Raises a hold while its call runs. A hold that is not covered stays as it is. */
  extend(
    requestId: string,
    next: { readonly quantity: number; readonly amount: MicroFen },
  ): Promise<'held' | 'not_covered'>;
  /**
   * Stores the response and captures the hold, in one durable transaction.
   * `lost`: recovery has released the hold, so the response must not be sent as charged.
   */
  capture(
    request: CaptureRequest,
  ): Promise<{ readonly kind: 'captured' } | { readonly kind: 'lost' }>;
  /** Makes the held amount available again, restores the quota, and frees the key. */
  release(request: {
    readonly requestId: string;
    readonly status: number;
    readonly code: string;
    /** The stored usage of a call that was not charged; absent: none. */
    readonly usage?: object | null;
  }): Promise<void>;
  close(): Promise<void>;
};
