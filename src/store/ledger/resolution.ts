// How a hold is to end, and what its caller still knows of it.

/** A hold as it was opened, from one book alone. */
export type SingleBalanceHold = {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly book: string;
  readonly sku: string;
  readonly amount: bigint;
};

export type Resolution = {
  readonly requestId: string;
  readonly outcome: 'captured' | 'released' | 'expired';
  readonly captured: bigint;
  readonly usage: object | null;
  readonly status: number;
  readonly code: string | null;
  /** The answer to keep; null: none. */
  readonly contentType: string | null;
  readonly body: Buffer | null;
  /** How it was opened, where the caller still knows it. */
  readonly hold?: SingleBalanceHold | null;
};
