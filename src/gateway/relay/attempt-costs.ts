// Calculates the usage of each attempt of a call, and what the attempt costs the operator at the
// upstream's prices. Relay contract, 2.5 and 3.6.
import type { MicroFen } from '../../kernel/money.ts';
import { type CountedUsage, estimateUsage, type RequestText } from './count-usage.ts';
import { continueInstruction } from './dialects/continuation.ts';
import { amountOfLines, linesOf } from './prices/model-prices.ts';
import { type AttemptLog, type AttemptOutput, isContinued } from './receipt.ts';
import type { TextCounter } from './tokens/token-counter.ts';

/** One usage per attempt, in order; null: the attempt sent no part of a response. */
export type AttemptUsages = readonly (CountedUsage | null)[];

type UsageInput = {
  /** The recorded usage of the call. */
  readonly usage: CountedUsage;
  readonly prompt: RequestText;
  readonly counter: TextCounter;
};

/**
 * The usage of the call is also the usage of its only attempt with output. Each attempt of a
 * continued call has a usage of its own.
 *
 * Synchronous unless the call was continued.
 */
export function usagesOf(
  attempts: readonly AttemptLog[],
  input: UsageInput,
): AttemptUsages | Promise<AttemptUsages> {
  if (!isContinued(attempts))
    return attempts.map(({ output }) => (output === null ? null : input.usage));
  return Promise.all(
    attempts.map(({ output }) => (output === null ? null : attemptUsage(output, input))),
  );
}

async function attemptUsage(
  { usage, interimUsage, resumedFrom, text }: AttemptOutput,
  { usage: callUsage, prompt, counter }: UsageInput,
): Promise<CountedUsage> {
  if (callUsage.counted === 'free') return callUsage;
  if (usage !== null && usage.prompt + usage.completion > 0) {
    return { ...usage, counted: 'upstream', isInputReported: true };
  }
  const addedText = resumedFrom === '' ? '' : resumedFrom + continueInstruction(resumedFrom);
  const { read } = prompt;
  const sentText = {
    read: read === null ? null : () => read() + addedText,
    bytes: prompt.bytes + Buffer.byteLength(addedText),
  };
  const written = { text, moreBytes: 0 };
  return estimateUsage(counter, { interimUsage, written }, sentText);
}

/** One cost per attempt, in order; null: the attempt has no price, or its usage was not counted. */
type AttemptCosts = readonly (MicroFen | null)[];

/** An attempt without output counts as free. */
export const costsOf = (attempts: readonly AttemptLog[], usages: AttemptUsages): AttemptCosts =>
  attempts.map(({ target: { upstream, model } }, index) => {
    const usage = usages[index] ?? null;
    if (usage === null) return 0n;
    const { upstreamPrices } = upstream.rules;
    const prices = Object.hasOwn(upstreamPrices, model) ? upstreamPrices[model] : undefined;
    if (prices === undefined || usage.counted === 'free') return null;
    return amountOfLines(linesOf(prices, usage));
  });

/** Null: the cost of an attempt is unknown. */
export const sumOfCosts = (costs: AttemptCosts): MicroFen | null =>
  costs.reduce<MicroFen | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + cost),
    0n,
  );
