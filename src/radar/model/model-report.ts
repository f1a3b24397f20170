// Reads data for operators: cost per day, step and model, remaining budgets, requests with unknown
// outcome, and the routing. Operators can change the routing.

import { formatCny, type MicroFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { type ModelStep, modelSteps } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  countUnknownRequests,
  listUnknownRequests,
  type UnknownRequest,
} from '../../store/model/model-requests.ts';
import { findRouting, saveRouting } from '../../store/model/model-routing.ts';
import {
  type BudgetSpan,
  type DayKey,
  type DaySums,
  listModelDays,
  listRunningSpans,
} from '../../store/model/model-spending.ts';
import { currentSpans, limitOf } from './budget.ts';
import { BUILT_IN, type ModelSettings, termsOf } from './model-config.ts';
import { knownModels, type ModelRoute, routesOf } from './routing.ts';

export type DailySpending = DayKey & DaySums;

/** By day, step and model, newest day first. `since` is a Shanghai day. */
export function readSpendingSince(db: Db, since: string): Promise<readonly DailySpending[]> {
  return listModelDays(db, since);
}

export type BudgetLine = {
  readonly model: string;
  readonly span: BudgetSpan;
  readonly unit: 'requests' | 'tokens' | 'cost';
  /** Cost in CNY. */
  readonly used: number;
  /** `limit` and `remaining` are null without a limit. */
  readonly limit: number | null;
  readonly remaining: number | null;
};

/** Lists the budgets of every model in use. */
export async function listBudgets(
  { clock }: World,
  db: Db,
  settings: ModelSettings,
): Promise<readonly BudgetLine[]> {
  const now = clock.now();
  const runningSpans = await listRunningSpans(db);
  const { embeddingModel } = settings;
  const models = [...knownModels(settings), ...(embeddingModel === null ? [] : [embeddingModel])];
  return [...new Set(models)].flatMap((model) =>
    currentSpans(now).flatMap(({ span, startsAt }) => {
      const spent = runningSpans.find((row) => row.model === model && row.span === span);
      const usedAmounts =
        spent?.startsAt === startsAt ? spent : { requests: 0, tokens: 0, cost: 0n };
      const limit = limitOf(termsOf(settings.file, model), span);
      return (['requests', 'tokens', 'cost'] as const).map((unit): BudgetLine => {
        const max = toNumber(limit[unit]);
        const used = toNumber(usedAmounts[unit]) ?? 0;
        const remaining = max === null ? null : Math.max(0, max - used);
        return { model, span, unit, used, limit: max, remaining };
      });
    }),
  );
}

const toNumber = (value: number | MicroFen | null): number | null =>
  typeof value === 'bigint' ? Number(formatCny(value)) : value;

export function countUnknownOutcomes({ clock }: World, db: Db): Promise<number> {
  return countUnknownRequests(db, clock.now());
}

/** Oldest first. */
export function listUnknownOutcomes({ clock }: World, db: Db): Promise<readonly UnknownRequest[]> {
  return listUnknownRequests(db, { now: clock.now(), limit: 50 });
}

export type RoutingView = {
  readonly version: number;
  readonly routes: readonly ModelRoute[];
  /** Models that a step can use besides the rules. */
  readonly models: readonly string[];
};

export async function viewRouting(db: Db, settings: ModelSettings): Promise<RoutingView> {
  const routing = await findRouting(db);
  return {
    version: routing.version,
    routes: routesOf(settings, routing),
    models: knownModels(settings),
  };
}

export type RoutingChange = {
  /** The version that was read. */
  readonly version: number;
  /** By step; `built-in` for the rules, null for the configured model. */
  readonly steps: Readonly<Record<ModelStep, string | null>>;
};

export type RoutingResult =
  | {
      readonly kind: 'changed';
      readonly before: Readonly<Record<string, string>>;
      readonly after: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'unknown_model'; readonly step: ModelStep; readonly model: string };

/** Runs in the caller's transaction, which also writes the audit record. */
export async function changeModelRouting(
  { clock }: World,
  tx: Db,
  settings: ModelSettings,
  change: RoutingChange,
): Promise<RoutingResult> {
  const modelNames = [...knownModels(settings), BUILT_IN];
  const after: Record<string, string> = {};
  for (const step of modelSteps) {
    const model = change.steps[step];
    if (model === null) continue;
    if (!modelNames.includes(model)) return { kind: 'unknown_model', step, model };
    after[step] = model;
  }
  const { version, steps: before } = await findRouting(tx);
  if (version !== change.version) return { kind: 'conflict' };
  const isUnchanged = modelSteps.every((step) => before[step] === after[step]);
  if (isUnchanged) return { kind: 'unchanged' };
  const isSaved = await saveRouting(tx, { version, steps: after }, clock.now());
  return isSaved ? { kind: 'changed', before, after } : { kind: 'conflict' };
}

/** The day in Shanghai, this number of days ago. */
export const dayBefore = ({ clock }: World, days: number): string =>
  shanghaiDay(clock.now() - days * DAY_MS).day;
