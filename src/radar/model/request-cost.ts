// Computes the cost of a request: estimated before sending, exact after the reply. Money is in
// micro-fen, rounded up, so that rounding never exceeds a budget.
import type { MicroFen } from '../../kernel/money.ts';
import type { ModelTerms } from './model-config.ts';

export type ModelTokens = { readonly prompt: number; readonly answer: number };

const MILLION = 1_000_000n;

/** 0 without a known price. */
export function costOf({ price }: Pick<ModelTerms, 'price'>, tokens: ModelTokens): MicroFen {
  if (price === undefined) return 0n;
  const sum = price.input * BigInt(tokens.prompt) + price.output * BigInt(tokens.answer);
  return (sum + MILLION - 1n) / MILLION;
}

/** About four letters per token; other characters (Chinese) count as one token each. */
export function estimateTokens(text: string): number {
  let otherCharacters = 0;
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) > 0x7f) otherCharacters += 1;
  return Math.ceil((text.length - otherCharacters) / 4) + otherCharacters;
}
