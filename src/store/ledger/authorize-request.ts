// Input of the authorize statements.

/** Amounts in micro-fen, instants as epoch milliseconds. */
export type AuthorizeRow = {
  readonly requestId: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly keyId: string;
  readonly capability: string;
  readonly sku: string | null;
  readonly priceVersion: number;
  readonly unit: string;
  readonly quantity: number;
  readonly amount: bigint;
  readonly maxCharge: bigint | null;
  readonly budget: { readonly amount: bigint; readonly period: string } | null;
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
  readonly quotas: { readonly day: number; readonly month: number };
  readonly deadlineAt: number;
};
