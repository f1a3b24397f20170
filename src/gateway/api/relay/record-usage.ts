// Counts the usage of a model call. One row outside of the ledger stores the tokens, the charge and
// the costs.
import { type AttemptUsages, costsOf, sumOfCosts, usagesOf } from '../../relay/attempt-costs.ts';
import {
  type CallEnding,
  type CountedUsage,
  countUsage,
  type EndedCall,
  estimateUsage,
} from '../../relay/count-usage.ts';
import type { ApiDialect } from '../../relay/dialects/dialect.ts';
import { type CallPrice, isContradictory } from '../../relay/prices/price-call.ts';
import { type AttemptLog, type AttemptOutput, attemptUsageOf } from '../../relay/receipt.ts';
import type { ResumeStream } from '../../relay/stream/forward-stream.ts';
import type { Upstream } from '../../relay/upstream/upstream.ts';
import type { CallAccounting } from './call-accounting.ts';
import type { RelayContext, RelayRequest } from './relay-context.ts';
import type { CallFacts } from './start-call.ts';

export type ModelCall = {
  readonly context: RelayContext;
  readonly dialect: ApiDialect;
  readonly received: RelayRequest;
  readonly facts: CallFacts;
  readonly accounting: CallAccounting;
  readonly resume: ResumeStream | null;
  readonly attempts: readonly AttemptLog[];
};

/** Stores the output in the last attempt, which is the attempt that ended. */
export function storeOutput({ attempts }: ModelCall, output: AttemptOutput): void {
  const attempt = attempts.at(-1);
  if (attempt !== undefined) attempt.output = output;
}

export type CountedCall = {
  /** The usage of the response as if one attempt had produced it. */
  readonly usage: CountedUsage;
  readonly usages: AttemptUsages;
};

type CountedEnd = Pick<EndedCall, 'usage' | 'interimUsage' | 'written'>;

/**
 * Counts the usage of a call that reached an upstream, and stores it in the attempts. The count may
 * wait for the relay's own token counter.
 */
export function countCall(
  call: ModelCall,
  { rules }: Upstream,
  ended: CallEnding,
  end: CountedEnd,
): CountedCall | Promise<CountedCall> {
  const { context, facts } = call;
  const { requestId, prompt, price } = facts;
  const counter = context.counter.of(facts.key.accountId);
  const endedCall = { ...end, ended, policy: rules.onClientDisconnect };
  const storeUsage = (usage: CountedUsage): CountedCall | Promise<CountedCall> => {
    if (hasContradiction(price, usage)) {
      const { prompt: input, completion: output } = usage;
      context.world.log.warn(
        { requestId, upstream: rules.name, input, output },
        'the upstream reported contradictory usage',
      );
    }
    const usages = usagesOf(call.attempts, { usage, prompt, counter });
    return usages instanceof Promise
      ? usages.then((counted) => storeUsages(call, usage, counted))
      : storeUsages(call, usage, usages);
  };
  const usage = countUsage(endedCall);
  return usage === null
    ? estimateUsage(counter, endedCall, prompt).then(storeUsage)
    : storeUsage(usage);
}

function storeUsages(
  { attempts }: ModelCall,
  usage: CountedUsage,
  usages: AttemptUsages,
): CountedCall {
  for (const [index, attempt] of attempts.entries()) {
    const attemptUsage = usages[index] ?? null;
    attempt.usage = attemptUsage === null ? null : attemptUsageOf(attemptUsage);
  }
  return { usage, usages };
}

const hasContradiction = (price: CallPrice, usage: CountedUsage) =>
  price.kind === 'per_token' ? isContradictory(price, usage) : usage.isContradictory;

type EndedUsage = CountedCall & {
  readonly ended: CallEnding;
  readonly charge: bigint;
};

/** Stores one row for each call that reached an upstream, after its charge. */
export function recordUsage(
  { context, facts, attempts }: ModelCall,
  { rules }: Upstream,
  { ended, usage, usages, charge }: EndedUsage,
): void {
  const { requestId, key, model, isStream, startedAt, price } = facts;
  const costs = costsOf(attempts, usages);
  const cost = sumOfCosts(costs);
  const hasCost = costs.some((attemptCost) => attemptCost !== null && attemptCost > 0n);
  context.usage.record({
    request_id: requestId,
    account_id: key.accountId,
    livemode: key.livemode,
    key_id: key.id,
    model,
    upstream: rules.name,
    is_stream: isStream,
    ended,
    counted: hasContradiction(price, usage) ? 'contradictory' : usage.counted,
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    started_at: startedAt,
    duration_ms: context.world.clock.now() - startedAt,
    charge: price.kind === 'free' ? null : Number(charge),
    cost: cost === null ? null : Number(cost),
    attempt_costs: hasCost ? costs.map((amount) => amount?.toString() ?? null) : null,
  });
}
