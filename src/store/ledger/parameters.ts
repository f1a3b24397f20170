// What the ledger's statements share: how their parameters are written and their answers read.
import type { StatementResult } from './connection.ts';

/** The moment of a batch, and the Shanghai day and month it falls in. */
export type BatchTime = {
  /** Epoch milliseconds. */
  readonly now: number;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly dayEndsAt: number;
  /** YYYY-MM. */
  readonly month: string;
  readonly monthEndsAt: number;
  /** What a new day's allowance is, in micro-fen. */
  readonly allowance: bigint;
};

export type BatchResult<Answer> =
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  | Exclude<StatementResult, { kind: 'answer' }>;

export const toSqlTime = (epochMs: number): string => new Date(epochMs).toISOString();

/** `$1::text, $2::bigint, …` from `text bigint …`. */
export function parametersOf(types: string): string {
  const one = (type: string, n: number) => `$${n + 1}::${type}`;
  return types.split(' ').map(one).join(', ');
}

export const linesOf = (text: string): readonly string[] => text.split('\n');
