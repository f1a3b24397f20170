// Costs of a call's attempts for the operator, at the prices of their upstreams. Relay contract,
// 2.5.
import type { MicroFen } from '../../kernel/money.ts';
import { type CountedUsage, estimateUsage, type RequestText } from './count-usage.ts';
import { continueInstruction } from './dialects/continuation.ts';
import { amountOfLines, linesOf, type ModelPrice } from './prices/model-prices.ts';
import type { AttemptLog, AttemptOutput } from './receipt.ts';
import type { TokenUsage } from './token-usage.ts';
import type { TokenCounter } from './tokens/token-counter.ts';

/** By attempt, in their order; null: it has no price, or its usage was not counted. */
type AttemptCosts = readonly (MicroFen | null)[];

type CostInput = {
  /** The usage that the call is recorded with. */
  readonly usage: CountedUsage;
  readonly prompt: RequestText;
  readonly counter: Pick<TokenCounter, 'count'>;
};

/**
 * An attempt without output is taken as free. The usage of the call is also the usage of its only
 * attempt with output. Each attempt of a continued call has its own.
 *
 * Synchronous unless a continued call has an upstream with prices.
 */
export function costsOf(
  attempts: readonly AttemptLog[],
  input: CostInput,
): AttemptCosts | Promise<AttemptCosts> {
  const isContinued = attempts.filter(({ output }) => output !== null).length > 1;
  const costs = attempts.map(({ target: { upstream, model }, output }) => {
    const { upstreamPrices } = upstream.rules;
    const prices = Object.hasOwn(upstreamPrices, model) ? upstreamPrices[model] : undefined;
    if (output === null) return 0n;
    if (prices === undefined || input.usage.counted === 'free') return null;
    if (!isContinued) return costAt(prices, input.usage);
    return usageOf(output, input).then((usage) => costAt(prices, usage));
  });
  return costs.some((cost) => cost instanceof Promise)
    ? Promise.all(costs)
    : (costs as AttemptCosts);
}

const costAt = (prices: readonly ModelPrice[], usage: TokenUsage): MicroFen =>
  amountOfLines(linesOf(prices, usage));

async function usageOf(
  { usage, interimUsage, resumedFrom, text }: AttemptOutput,
  { prompt, counter }: CostInput,
): Promise<TokenUsage> {
  if (usage !== null && usage.prompt + usage.completion > 0) return usage;
  const added = resumedFrom === '' ? '' : resumedFrom + continueInstruction(resumedFrom);
  const { read } = prompt;
  const sent = {
    read: read === null ? null : () => read() + added,
    bytes: prompt.bytes + Buffer.byteLength(added),
  };
  const written = { text, moreBytes: 0 };
  return estimateUsage(counter, { interimUsage, written }, sent);
}

/** Null: the cost of an attempt is unknown. */
export const sumOfCosts = (costs: AttemptCosts): MicroFen | null =>
  costs.reduce<MicroFen | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + cost),
    0n,
  );
