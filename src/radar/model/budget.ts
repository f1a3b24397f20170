// Budgets: what may be spent of a model in a minute, an hour, a Shanghai day. What is asked is
// counted before it is sent, by estimate, and corrected when its outcome is known.

import type { Db } from '../../kernel/ports/db.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time/durations.ts';
import type { Held } from '../../store/model/model-requests.ts';
import { correctSpending, type Limit, type Span, spend } from '../../store/model/model-spending.ts';
import type { ModelTerms } from './model-config.ts';

/** The spans that run at this moment, the shortest first. */
export function spansAt(now: number): readonly Span[] {
  const { startsAt, endsAt } = shanghaiDay(now);
  return [
    { span: 'minute', startsAt: now - (now % MINUTE_MS), ms: MINUTE_MS },
    { span: 'hour', startsAt: now - (now % HOUR_MS), ms: HOUR_MS },
    { span: 'day', startsAt, ms: endsAt - startsAt },
  ];
}

export function limitOf({ budget }: Pick<ModelTerms, 'budget'>, span: Span['span']): Limit {
  const { requests = null, tokens = null, cost = null } = budget[span] ?? {};
  return { requests, tokens, cost };
}

/** Of a limit; money is whole. */
function shareOf({ requests, tokens, cost }: Limit, share: number): Limit {
  if (share >= 1) return { requests, tokens, cost };
  const part = (value: number | null) => (value === null ? null : Math.floor(value * share));
  const thousandths = BigInt(Math.floor(share * 1_000));
  return {
    requests: part(requests),
    tokens: part(tokens),
    cost: cost === null ? null : (((cost * thousandths) / 1_000n) as typeof cost),
  };
}

/**
 * Part of the transaction that marks a question as asked. Null: counted. Else the span whose budget
 * is exhausted; the transaction must then be given up. `share`: of each limit that may be spent.
 */
export async function holdBudget(
  tx: Db,
  { name, terms }: { readonly name: string; readonly terms: ModelTerms },
  held: Held,
  { now, share = 1 }: { readonly now: number; readonly share?: number | undefined },
): Promise<Span | null> {
  for (const at of spansAt(now)) {
    const limit = shareOf(limitOf(terms, at.span), share);
    const isWithin = await spend(tx, { model: name, at, limit }, { requests: 1, ...held });
    if (!isWithin) return at;
  }
  return null;
}

/** `paid` against what was held at `askedAt`. */
export async function correctBudget(
  tx: Db,
  model: string,
  { held, paid, askedAt }: { readonly held: Held; readonly paid: Held; readonly askedAt: number },
): Promise<void> {
  const by = { tokens: paid.tokens - held.tokens, cost: paid.cost - held.cost };
  if (by.tokens === 0 && by.cost === 0n) return;
  await correctSpending(tx, model, spansAt(askedAt), by);
}
