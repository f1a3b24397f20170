// Usage that a call counts for, by its ending and by the upstream's setting for clients that
// disconnect.
import { type TokenUsage, tokensOf, tokenUsage } from './token-usage.ts';
import type { UpstreamRules } from './upstream/upstream.ts';

export type CallEnding = 'completed' | 'client_left' | 'failed';

export type CountedUsage = TokenUsage & { readonly counted: 'upstream' | 'estimated' | 'free' };

export function countUsage(call: {
  readonly ended: CallEnding;
  readonly policy: UpstreamRules['whenClientLeaves'];
  /** The upstream's own numbers. */
  readonly usage: TokenUsage | null;
  /** Bytes of text in the request and in the answer so far. */
  readonly promptBytes: number;
  readonly bytes: number;
}): CountedUsage {
  if (call.ended === 'client_left' && call.policy === 'free') {
    return { ...tokenUsage({}), counted: 'free' };
  }
  if (call.usage !== null) return { ...call.usage, counted: 'upstream' };
  const prompt = tokensOf(call.promptBytes);
  const completion = tokensOf(call.bytes);
  return { ...tokenUsage({ prompt, completion }), counted: 'estimated' };
}
