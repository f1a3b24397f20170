// Cost of models: the only writer of `model_budgets` (the current spans, exact over all workers)
// and of `model_days` (the history).
import { sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';
import type { BudgetSpan } from '../schema/model.ts';

export type { BudgetSpan };

export type DaySpending = {
  readonly requests: number;
  readonly tokens: number;
  /** Micro-fen. */
  readonly cost: bigint;
};

/** Null: no limit. */
export type Limit = {
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly cost: bigint | null;
};

export type PeriodSpan = {
  readonly span: BudgetSpan;
  readonly startsAt: number;
  readonly ms: number;
};

/**
 * Reserves `more` in this span. False: the limit would be exceeded, and nothing is reserved. An
 * expired span starts again. So does a span in the future, which a clock that was set back leaves.
 */
export async function reserveSpending(
  tx: Db,
  { model, at, limit }: { readonly model: string; readonly at: PeriodSpan; readonly limit: Limit },
  more: DaySpending,
): Promise<boolean> {
  const starts = toTimestamp(at.startsAt);
  const isOther = sql`(b.starts_at < ${starts}::timestamptz
    OR b.starts_at > ${toTimestamp(at.startsAt + 2 * at.ms)}::timestamptz)`;
  const sum = (name: 'requests' | 'tokens' | 'cost') => {
    const column = sql.ref(`b.${name}`);
    return sql`CASE WHEN ${isOther} THEN 0 ELSE ${column} END + ${sql.ref(`excluded.${name}`)}`;
  };
  const isWithinLimit = (name: 'requests' | 'tokens' | 'cost') =>
    limit[name] === null ? sql`true` : sql`${sum(name)} <= ${limit[name]}::bigint`;
  if (limit.requests !== null && more.requests > limit.requests) return false;
  if (limit.tokens !== null && more.tokens > limit.tokens) return false;
  if (limit.cost !== null && more.cost > limit.cost) return false;
  const { rows } = await sql<{ span: string }>`
    INSERT INTO model_budgets AS b (model, span, starts_at, requests, tokens, cost)
    VALUES (${model}, ${at.span}, ${starts}, ${more.requests}, ${more.tokens}, ${more.cost})
    ON CONFLICT (model, span) DO UPDATE SET
      starts_at = CASE WHEN ${isOther} THEN excluded.starts_at ELSE b.starts_at END,
      requests = ${sum('requests')}, tokens = ${sum('tokens')}, cost = ${sum('cost')}
    WHERE ${isWithinLimit('requests')} AND ${isWithinLimit('tokens')} AND ${isWithinLimit('cost')}
    RETURNING span`.execute(sqlOf(tx));
  return rows.length > 0;
}

/** Corrects a reservation to the actual amount, in current spans. */
export async function correctSpending(
  tx: Db,
  model: string,
  spans: readonly PeriodSpan[],
  by: { readonly tokens: number; readonly cost: bigint },
): Promise<void> {
  // Rows are locked in one global order, so that two workers cannot deadlock.
  for (const { span, startsAt } of spans) {
    await sqlOf(tx)
      .updateTable('model_budgets')
      .set({
        tokens: sql<number>`greatest(0, tokens + ${by.tokens}::bigint)`,
        cost: sql<bigint>`greatest(0, cost + ${by.cost}::bigint)`,
      })
      .where('model', '=', model)
      .where('span', '=', span)
      .where('starts_at', '=', sql<number>`${toTimestamp(startsAt)}::timestamptz`)
      .execute();
  }
}

export type RunningSpan = DaySpending & {
  readonly model: string;
  readonly span: BudgetSpan;
  readonly startsAt: number;
};

export async function runningSpans(db: Db): Promise<readonly RunningSpan[]> {
  const rows = await sqlOf(db)
    .selectFrom('model_budgets')
    .select(['model', 'span', 'starts_at', 'requests', 'tokens'])
    .select(sql<string>`cost::text`.as('money'))
    .execute();
  return rows.map(({ money, starts_at, ...row }) => {
    return { ...row, startsAt: starts_at, cost: microFen(money) };
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

export async function countDay(tx: Db, key: DayKey, more: Partial<DaySums>): Promise<void> {
  const add = {
    requests: more.requests ?? 0,
    answers: more.answers ?? 0,
    failures: more.failures ?? 0,
    unknown: more.unknown ?? 0,
    over_budget: more.overBudget ?? 0,
    refused: more.refused ?? 0,
    prompt_tokens: more.promptTokens ?? 0,
    answer_tokens: more.answerTokens ?? 0,
    cost: more.cost ?? 0n,
    unknown_cost: more.unknownCost ?? 0n,
  };
  const plus = (name: keyof typeof add) =>
    sql`model_days.${sql.raw(name)} + excluded.${sql.raw(name)}`;
  await sqlOf(tx)
    .insertInto('model_days')
    .values({ ...key, ...add })
    .onConflict((conflict) =>
      conflict.columns(['day', 'step', 'model']).doUpdateSet({
        requests: plus('requests') as never,
        answers: plus('answers') as never,
        failures: plus('failures') as never,
        unknown: plus('unknown') as never,
        over_budget: plus('over_budget') as never,
        refused: plus('refused') as never,
        prompt_tokens: plus('prompt_tokens') as never,
        answer_tokens: plus('answer_tokens') as never,
        cost: plus('cost') as never,
        unknown_cost: plus('unknown_cost') as never,
      }),
    )
    .execute();
}

/** From this day on, newest day first. */
export async function modelDays(db: Db, since: string): Promise<readonly (DayKey & DaySums)[]> {
  const rows = await sqlOf(db)
    .selectFrom('model_days')
    .select(['day', 'step', 'model', 'requests', 'answers', 'failures', 'unknown'])
    .select(['over_budget', 'refused', 'prompt_tokens', 'answer_tokens'])
    .select([sql<string>`cost::text`.as('paid'), sql<string>`unknown_cost::text`.as('lost')])
    .where('day', '>=', since)
    .orderBy('day', 'desc')
    .orderBy('step')
    .orderBy('model')
    .execute();
  return rows.map(({ paid, lost, over_budget, prompt_tokens, answer_tokens, ...row }) => ({
    ...row,
    overBudget: over_budget,
    promptTokens: prompt_tokens,
    answerTokens: answer_tokens,
    cost: microFen(paid),
    unknownCost: microFen(lost),
  }));
}
