// What a question costs: estimated before it is sent, exact once its answer says so. Money is
// micro-fen, rounded up, so that a budget is never overdrawn by rounding.
import type { MicroFen } from '../../kernel/money.ts';
import type { ModelTerms } from './model-config.ts';

export type Tokens = { readonly prompt: number; readonly answer: number };

const MILLION = 1_000_000n;

/** 0 where the price is not known. */
export function costOf({ price }: Pick<ModelTerms, 'price'>, tokens: Tokens): MicroFen {
  if (price === undefined) return 0n;
  const sum = price.input * BigInt(tokens.prompt) + price.output * BigInt(tokens.answer);
  return (sum + MILLION - 1n) / MILLION;
}

/** Letters of the alphabet make a token by fours; others (Chinese) are one each, or nearly. */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) others += 1;
  return Math.ceil((text.length - others) / 4) + others;
}
