// Opens the model client of a process, if a model is configured. It is opened once, and all
// components of the process share it. Without a model this file does not use the database.

import { openRefreshingValue } from '../../kernel/concurrency/refreshing-value.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import { formatCny } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import {
  countUnknownOutcomes,
  listBudgets,
  readSpendingSince,
} from '../../radar/model/model-report.ts';
import {
  cleanUpModel,
  type ModelClient,
  openModel as openModelClient,
} from '../../radar/model/open-model.ts';
import type { AppRun } from './run.ts';

const modelByRun = new WeakMap<AppRun, ModelClient | null>();

const CLEAN_UP_INTERVAL_MS = 6 * HOUR_MS;
const SPENDING_CACHE_MS = 1_000;

/** Null: no model is configured, so the rule-based alternatives are used. */
export function openModel(run: AppRun, db: Db): ModelClient | null {
  const existing = modelByRun.get(run);
  if (existing !== undefined) return existing;
  const model = run.config.model === null ? null : createModel(run, db, run.config.model);
  modelByRun.set(run, model);
  return model;
}

type Settings = NonNullable<AppRun['config']['model']>;

function createModel(run: AppRun, db: Db, settings: Settings): ModelClient {
  const { world, metrics, components } = run;
  const outcomes = metrics.counter('radar_model_questions_total', 'Model requests by outcome.', [
    'step',
    'model',
    'outcome',
  ]);
  const model = openModelClient(world, db, {
    settings,
    onEvent: ({ step, model: name, outcome }) => {
      outcomes.of(step, name, outcome).value += 1;
    },
  });
  registerMetrics(run, db, settings);
  const stop = new AbortController();
  const cleanUp = cleanUpRegularly(run, db, settings, stop.signal);
  components.push({
    name: 'model',
    close: async () => {
      stop.abort();
      await model.close();
      await cleanUp;
    },
  });
  return model;
}

async function cleanUpRegularly({ world }: AppRun, db: Db, settings: Settings, stop: AbortSignal) {
  while (!stop.aborted) {
    await cleanUpModel(world, db, settings).catch((error) =>
      world.log.warn({ error: messageOf(error) }, 'old model requests were not deleted'),
    );
    await world.clock.sleep(CLEAN_UP_INTERVAL_MS, stop).catch(() => {});
  }
}

/**
 * Today's cost and remaining budget. The store supplies them, so each node reports the total of all
 * nodes.
 */
function registerMetrics({ world, metrics }: AppRun, db: Db, settings: Settings): void {
  const { clock } = world;
  const labels = ['step', 'model'];
  // One scrape of the metrics reads the value five times, so it is cached.
  const spending = openRefreshingValue(world, SPENDING_CACHE_MS, () =>
    readSpendingSince(db, shanghaiDay(clock.now()).day),
  );
  const readSpending = spending.get;
  type ModelSpending = Awaited<ReturnType<typeof readSpending>>[number];
  const registerGauge = (
    name: string,
    help: string,
    value: (spent: ModelSpending) => number,
  ): void =>
    metrics.gauge({
      name,
      help,
      labels,
      read: async () =>
        (await readSpending()).map((spent) => {
          return { labels: { step: spent.step, model: spent.model }, value: value(spent) };
        }),
    });
  registerGauge(
    'radar_model_cost_today_cny',
    'Cost of model requests on this Shanghai day, CNY.',
    ({ cost }) => Number(formatCny(cost)),
  );
  metrics.gauge({
    name: 'radar_model_tokens_today',
    help: 'Tokens of prompts and replies on this Shanghai day.',
    labels: [...labels, 'kind'],
    read: async () =>
      (await readSpending()).flatMap(({ step, model, promptTokens, answerTokens }) => [
        { labels: { step, model, kind: 'question' }, value: promptTokens },
        { labels: { step, model, kind: 'answer' }, value: answerTokens },
      ]),
  });
  registerGauge(
    'radar_model_requests_today',
    'Requests to models on this Shanghai day.',
    ({ requests }) => requests,
  );
  metrics.gauge({
    name: 'radar_model_built_in_today',
    help: 'Tasks of this Shanghai day for which rules replaced the model.',
    labels: [...labels, 'why'],
    read: async () =>
      (await readSpending()).flatMap(({ step, model, overBudget, refused }) => [
        { labels: { step, model, why: 'budget' }, value: overBudget },
        { labels: { step, model, why: 'refused' }, value: refused },
      ]),
  });
  registerGauge(
    'radar_model_released_today',
    'Requests released on this Shanghai day for a retry; each may be billed twice.',
    ({ unknown }) => unknown,
  );
  metrics.gauge({
    name: 'radar_model_budget_left',
    help: 'Remaining amounts of the current budgets. A budget without a limit has no value.',
    labels: ['model', 'span', 'of'],
    read: async () =>
      (await listBudgets(world, db, settings)).flatMap(({ model, span, unit, remaining }) =>
        remaining === null ? [] : [{ labels: { model, span, of: unit }, value: remaining }],
      ),
  });
  metrics.gauge({
    name: 'radar_model_unknown_outcomes',
    help: 'Requests with an unknown outcome that wait for a retry.',
    read: async () => [{ value: await countUnknownOutcomes(world, db) }],
  });
}
