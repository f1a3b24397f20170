// The usage of a model call, and its row beside the ledger: tokens, charge and costs.
import { costsOf, sumOfCosts } from '../../relay/attempt-costs.ts';
import {
  type CallEnding,
  type CountedUsage,
  countUsage,
  type EndedCall,
  estimateUsage,
} from '../../relay/count-usage.ts';
import type { ApiDialect } from '../../relay/dialects/dialect.ts';
import { type CallPrice, isContradictory } from '../../relay/prices/price-call.ts';
import type { AttemptLog, AttemptOutput } from '../../relay/receipt.ts';
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

/** The last attempt is the one that ended. */
export function noteOutput({ attempts }: ModelCall, output: AttemptOutput): void {
  const attempt = attempts.at(-1);
  if (attempt !== undefined) attempt.output = output;
}

/** The usage of a call that reached an upstream. It may wait for the relay's token count. */
export async function countCall(
  { context, facts }: ModelCall,
  { rules }: Upstream,
  ended: CallEnding,
  end: Pick<EndedCall, 'usage' | 'interimUsage' | 'written'>,
): Promise<CountedUsage> {
  const { requestId, prompt, price } = facts;
  const call = { ...end, ended, policy: rules.onClientDisconnect };
  const usage = countUsage(call) ?? (await estimateUsage(context.counter, call, prompt));
  if (isFalse(price, usage)) {
    const { prompt: input, completion: output } = usage;
    context.world.log.warn(
      { requestId, upstream: rules.name, input, output },
      'contradictory usage',
    );
  }
  return usage;
}

const isFalse = (price: CallPrice, usage: CountedUsage) =>
  price.kind === 'per_token' ? isContradictory(price, usage) : usage.isContradictory;

type EndedUsage = {
  readonly ended: CallEnding;
  readonly usage: CountedUsage;
  readonly charge: bigint;
};

/**
 * One row for each call that reached an upstream, after its charge. It waits for the relay's token
 * count where a continued call has costs.
 */
export async function recordUsage(
  { context, facts, attempts }: ModelCall,
  { rules }: Upstream,
  { ended, usage, charge }: EndedUsage,
): Promise<void> {
  const { requestId, key, model, isStream, prompt, startedAt, price } = facts;
  const costing = costsOf(attempts, { usage, prompt, counter: context.counter });
  const costs = costing instanceof Promise ? await costing : costing;
  const cost = sumOfCosts(costs);
  const isCosted = costs.some((each) => each !== null && each > 0n);
  context.usage.record({
    request_id: requestId,
    account_id: key.accountId,
    livemode: key.livemode,
    key_id: key.id,
    model,
    upstream: rules.name,
    is_stream: isStream,
    ended,
    counted: isFalse(price, usage) ? 'contradictory' : usage.counted,
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    started_at: startedAt,
    duration_ms: context.world.clock.now() - startedAt,
    charge: price.kind === 'free' ? null : Number(charge),
    cost: cost === null ? null : Number(cost),
    attempt_costs: isCosted ? costs.map((each) => (each === null ? null : String(each))) : null,
  });
}
