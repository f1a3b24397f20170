// Determines the charged usage of a call from its ending and from the upstream's setting for
// clients that disconnect. Relay contract, 2.4.
import type { WrittenText } from './stream/delivered-text.ts';
import { type TokenUsage, tokensOf, tokenUsage } from './token-usage.ts';
import type { TextCounter } from './tokens/token-counter.ts';
import type { UpstreamRules } from './upstream/upstream.ts';

export type CallEnding = 'completed' | 'client_left' | 'failed';

export type CountedUsage = TokenUsage & {
  readonly counted: 'upstream' | 'estimated' | 'free';
  /** The upstream reported its input before the response ended. */
  readonly isInputReported: boolean;
};

export type EndedCall = {
  readonly ended: CallEnding;
  readonly policy: UpstreamRules['onClientDisconnect'];
  /** The upstream's numbers of the whole response. */
  readonly usage: TokenUsage | null;
  /** Numbers that the upstream reported before the end. */
  readonly interimUsage: TokenUsage | null;
  readonly written: WrittenText;
};

/**
 * Null: the upstream reported no numbers, or only zeros although it sent text. The caller then uses
 * `estimateUsage`.
 */
export function countUsage({ ended, policy, usage, written }: EndedCall): CountedUsage | null {
  if (ended === 'client_left' && policy === 'free') {
    return { ...tokenUsage({}), counted: 'free', isInputReported: false };
  }
  if (usage === null) return null;
  const hasNumbers = usage.prompt > 0 || usage.completion > 0;
  if (!hasNumbers && written.text !== '') return null;
  return { ...usage, counted: 'upstream', isInputReported: true };
}

export type RequestText = {
  /** Null: the text was not kept. */
  readonly read: (() => string) | null;
  readonly bytes: number;
};

/** Counts the output tokens. Counts the input tokens too unless the upstream reported them. */
export async function estimateUsage(
  counter: TextCounter,
  { interimUsage, written }: Pick<EndedCall, 'interimUsage' | 'written'>,
  requested: RequestText,
): Promise<CountedUsage> {
  const completion = (await counter.count(written.text)) + tokensOf(written.moreBytes);
  if (interimUsage !== null && interimUsage.prompt > 0) {
    const { prompt, cacheRead, cacheWrite, cacheWriteLong, inputAudio, inputImage } = interimUsage;
    const input = { prompt, cacheRead, cacheWrite, cacheWriteLong, inputAudio, inputImage };
    return { ...tokenUsage(input), completion, counted: 'estimated', isInputReported: true };
  }
  const prompt =
    requested.read === null ? tokensOf(requested.bytes) : await counter.count(requested.read());
  return {
    ...tokenUsage({ prompt, completion }),
    counted: 'estimated',
    isInputReported: false,
  };
}
