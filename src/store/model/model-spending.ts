// Only this file writes the costs of models: `model_budgets` (the current periods, exact over all
// workers) and `model_days` (the history).
import { sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { BudgetSpan } from '../schema/model.ts';

export type { BudgetSpan };

export type SpendingAmounts = {
  readonly requests: number;
  readonly tokens: number;
  /** Micro-fen. */
  readonly cost: bigint;
};

/** Null: no limit. `cost` in micro-fen. */
export type Limit = {
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly cost: bigint | null;
};

export type PeriodSpan = {
  readonly span: BudgetSpan;
  readonly startsAt: number;
  /** Length of the span. */
  readonly ms: number;
};

/**
 * Reserves amounts in a span. False: the limit would be exceeded, and nothing is reserved. An
 * expired span starts again. A span in the future, which exists after a clock was set back, starts
 * again too.
 */
export async function reserveSpending(
  tx: Db,
  { model, at, limit }: { readonly model: string; readonly at: PeriodSpan; readonly limit: Limit },
  amounts: SpendingAmounts,
): Promise<boolean> {
  const starts = toTimestamp(at.startsAt);
  const isOtherPeriod = sql`(b.starts_at < ${starts}::timestamptz
    OR b.starts_at > ${toTimestamp(at.startsAt + 2 * at.ms)}::timestamptz)`;
  const sumOf = (name: 'requests' | 'tokens' | 'cost') => {
    const column = sql.ref(`b.${name}`);
    return sql`CASE WHEN ${isOtherPeriod} THEN 0 ELSE ${column} END
      + ${sql.ref(`excluded.${name}`)}`;
  };
  const isWithinLimit = (name: 'requests' | 'tokens' | 'cost') =>
    limit[name] === null ? sql`true` : sql`${sumOf(name)} <= ${limit[name]}::bigint`;
  if (limit.requests !== null && amounts.requests > limit.requests) return false;
  if (limit.tokens !== null && amounts.tokens > limit.tokens) return false;
  if (limit.cost !== null && amounts.cost > limit.cost) return false;
  const { rows } = await sql<{ span: string }>`
    INSERT INTO model_budgets AS b (model, span, starts_at, requests, tokens, cost)
    VALUES (${model}, ${at.span}, ${starts}, ${amounts.requests}, ${amounts.tokens},
      ${amounts.cost})
    ON CONFLICT (model, span) DO UPDATE SET
      starts_at = CASE WHEN ${isOtherPeriod} THEN excluded.starts_at ELSE b.starts_at END,
      requests = ${sumOf('requests')}, tokens = ${sumOf('tokens')}, cost = ${sumOf('cost')}
    WHERE ${isWithinLimit('requests')} AND ${isWithinLimit('tokens')} AND ${isWithinLimit('cost')}
    RETURNING span`.execute(sqlOf(tx));
  return rows.length > 0;
}

/** Corrects a reservation to the actual amount, in current spans. */
export async function correctSpending(
  tx: Db,
  model: string,
  spans: readonly PeriodSpan[],
  difference: { readonly tokens: number; readonly cost: bigint },
): Promise<void> {
  // Rows are locked in one global order, so that two workers cannot deadlock.
  for (const { span, startsAt } of spans) {
    await sqlOf(tx)
      .updateTable('model_budgets')
      .set({
        tokens: sql<number>`greatest(0, tokens + ${difference.tokens}::bigint)`,
        cost: sql<bigint>`greatest(0, cost + ${difference.cost}::bigint)`,
      })
      .where('model', '=', model)
      .where('span', '=', span)
      .where('starts_at', '=', sql<number>`${toTimestamp(startsAt)}::timestamptz`)
      .execute();
  }
}

export type RunningSpan = SpendingAmounts & {
  readonly model: string;
  readonly span: BudgetSpan;
  readonly startsAt: number;
};

export async function listRunningSpans(db: Db): Promise<readonly RunningSpan[]> {
  const rows = await sqlOf(db)
    .selectFrom('model_budgets')
    .select(['model', 'span', 'starts_at', 'requests', 'tokens'])
    .select(sql<string>`cost::text`.as('cost_text'))
    .execute();
  return rows.map(({ cost_text, starts_at, ...row }) => {
    return { ...row, startsAt: starts_at, cost: microFen(cost_text) };
  });
}

export type DaySums = {
  readonly requests: number;
  readonly answers: number;
  readonly failures: number;
  /** Requests with an unknown outcome after their deadline. */
  readonly unknown: number;
  /** Steps that used the rules, because a budget was spent or no reply was usable. */
  readonly overBudget: number;
  readonly refused: number;
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly cost: bigint;
  readonly unknownCost: bigint;
};

export type DayKey = { readonly day: string; readonly step: string; readonly model: string };

export async function addToModelDay(tx: Db, key: DayKey, amounts: Partial<DaySums>): Promise<void> {
  const counts = {
    requests: amounts.requests ?? 0,
    answers: amounts.answers ?? 0,
    failures: amounts.failures ?? 0,
    unknown: amounts.unknown ?? 0,
    over_budget: amounts.overBudget ?? 0,
    refused: amounts.refused ?? 0,
    prompt_tokens: amounts.promptTokens ?? 0,
    answer_tokens: amounts.answerTokens ?? 0,
    cost: amounts.cost ?? 0n,
    unknown_cost: amounts.unknownCost ?? 0n,
  };
  const addTo = (name: keyof typeof counts) =>
    sql<never>`model_days.${sql.raw(name)} + excluded.${sql.raw(name)}`;
  await sqlOf(tx)
    .insertInto('model_days')
    .values({ ...key, ...counts })
    .onConflict((conflict) =>
      conflict.columns(['day', 'step', 'model']).doUpdateSet({
        requests: addTo('requests'),
        answers: addTo('answers'),
        failures: addTo('failures'),
        unknown: addTo('unknown'),
        over_budget: addTo('over_budget'),
        refused: addTo('refused'),
        prompt_tokens: addTo('prompt_tokens'),
        answer_tokens: addTo('answer_tokens'),
        cost: addTo('cost'),
        unknown_cost: addTo('unknown_cost'),
      }),
    )
    .execute();
}

/** Days from `since` on, newest first. */
export async function listModelDays(db: Db, since: string): Promise<readonly (DayKey & DaySums)[]> {
  const rows = await sqlOf(db)
    .selectFrom('model_days')
    .select(['day', 'step', 'model', 'requests', 'answers', 'failures', 'unknown'])
    .select(['over_budget', 'refused', 'prompt_tokens', 'answer_tokens'])
    .select([
      sql<string>`cost::text`.as('cost_text'),
      sql<string>`unknown_cost::text`.as('unknown_cost_text'),
    ])
    .where('day', '>=', since)
    .orderBy('day', 'desc')
    .orderBy('step')
    .orderBy('model')
    .execute();
  return rows.map(
    ({ cost_text, unknown_cost_text, over_budget, prompt_tokens, answer_tokens, ...row }) => ({
      ...row,
      overBudget: over_budget,
      promptTokens: prompt_tokens,
      answerTokens: answer_tokens,
      cost: microFen(cost_text),
      unknownCost: microFen(unknown_cost_text),
    }),
  );
}
