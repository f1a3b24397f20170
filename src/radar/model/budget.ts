// Budgets per model: limits per minute, hour and Shanghai day. The estimate is reserved before the
// request and corrected by the result.

import type { Db } from '../../kernel/ports/db.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time/durations.ts';
import type { ReservedCost } from '../../store/model/model-requests.ts';
import {
  correctSpending,
  type Limit,
  type PeriodSpan,
  reserveSpending,
} from '../../store/model/model-spending.ts';
import type { ModelTerms } from './model-config.ts';

/** The current spans, shortest first. */
export function currentSpans(now: number): readonly PeriodSpan[] {
  const { startsAt, endsAt } = shanghaiDay(now);
  return [
    { span: 'minute', startsAt: now - (now % MINUTE_MS), ms: MINUTE_MS },
    { span: 'hour', startsAt: now - (now % HOUR_MS), ms: HOUR_MS },
    { span: 'day', startsAt, ms: endsAt - startsAt },
  ];
}

export function limitOf({ budget }: Pick<ModelTerms, 'budget'>, span: PeriodSpan['span']): Limit {
  const { requests = null, tokens = null, cost = null } = budget[span] ?? {};
  return { requests, tokens, cost };
}

function shareOf({ requests, tokens, cost }: Limit, share: number): Limit {
  if (share >= 1) return { requests, tokens, cost };
  const shareOfLimit = (value: number | null) =>
    value === null ? null : Math.floor(value * share);
  const thousandths = BigInt(Math.floor(share * 1_000));
  return {
    requests: shareOfLimit(requests),
    tokens: shareOfLimit(tokens),
    cost: cost === null ? null : (((cost * thousandths) / 1_000n) as typeof cost),
  };
}

/**
 * Runs in the transaction that records the request. Null: the budget is reserved. Otherwise it
 * returns the exhausted span, and the caller rolls the transaction back. `share` is the usable part
 * of each budget.
 */
export async function reserveBudget(
  tx: Db,
  { name, terms }: { readonly name: string; readonly terms: ModelTerms },
  reserved: ReservedCost,
  { now, share = 1 }: { readonly now: number; readonly share?: number | undefined },
): Promise<PeriodSpan | null> {
  for (const period of currentSpans(now)) {
    const limit = shareOf(limitOf(terms, period.span), share);
    const isWithinLimit = await reserveSpending(
      tx,
      { model: name, at: period, limit },
      { requests: 1, ...reserved },
    );
    if (!isWithinLimit) return period;
  }
  return null;
}

/** Replaces the reservation made at `requestedAt` by the `paid` amount. */
export async function correctBudget(
  tx: Db,
  model: string,
  {
    reserved,
    paid,
    requestedAt,
  }: { readonly reserved: ReservedCost; readonly paid: ReservedCost; readonly requestedAt: number },
): Promise<void> {
  const correction = { tokens: paid.tokens - reserved.tokens, cost: paid.cost - reserved.cost };
  if (correction.tokens === 0 && correction.cost === 0n) return;
  await correctSpending(tx, model, currentSpans(requestedAt), correction);
}
