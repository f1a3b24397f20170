// Types and SQL text that the ledger's statements share: the time of a batch, its result, and the
// list of parameters.
import type { StatementResult } from './connection.ts';

/** The time of a batch with its Shanghai day and month. */
export type BatchTime = {
  /** Epoch milliseconds. */
  readonly now: number;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly dayEndsAt: number;
  /** YYYY-MM. */
  readonly month: string;
  readonly monthEndsAt: number;
  /** Allowance of a new day, in micro-fen. */
  readonly allowance: bigint;
};

export type BatchResult<Result> =
  | { readonly kind: 'results'; readonly results: readonly Result[] }
  | Exclude<StatementResult, { kind: 'result' }>;

export const toSqlTime = (epochMs: number): string => new Date(epochMs).toISOString();

/** `$1::text, $2::bigint, …` from `text bigint …`. */
export function parametersOf(types: string): string {
  const parameter = (type: string, index: number) => `$${index + 1}::${type}`;
  return types.split(' ').map(parameter).join(', ');
}
