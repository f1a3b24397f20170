// The resolution of a hold: capture, release or expiry.
import { DAY_MS } from '../../kernel/time/durations.ts';

/** Retention of responses, and validity of goodwill vouchers. */
export const RETENTION_MS = DAY_MS;

/** A hold from a single balance, as it was authorized; `amount` in micro-fen. */
export type SingleBalanceHold = {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly balance: string;
  readonly sku: string;
  readonly amount: bigint;
};

export type Resolution = {
  readonly requestId: string;
  readonly outcome: 'captured' | 'released' | 'expired';
  /** Micro-fen. */
  readonly captured: bigint;
  readonly usage: object | null;
  readonly status: number;
  readonly code: string | null;
  /** The response to store; null: none. */
  readonly contentType: string | null;
  readonly body: Buffer | null;
  /** The authorized hold, if the caller has it in its cache. */
  readonly hold?: SingleBalanceHold | null;
};
