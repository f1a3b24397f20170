// Opens the enricher of `radar eval`: the rule-based enricher, or a model. Requests to the model
// are recorded and counted as usual, and a later run reuses the replies.
import type { Evaluation } from '../../cli/app.ts';
import type { Config } from '../../config.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import { readEditorial } from '../../radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../radar/enrichment/rules/rule-based-enricher.ts';
import { readSpendingSince } from '../../radar/model/model-report.ts';
import { openModel } from '../../radar/model/open-model.ts';
import { openModelServices } from './open-model-writers.ts';

type Work = (evaluation: Evaluation) => Promise<void>;

export async function evaluateRules(config: Config, world: World, work: Work): Promise<void> {
  const { editorial, enricher, thresholds } = await openRules(config);
  await work({
    world,
    thresholds,
    enricherVersion: enricher.version,
    categories: editorial.categories.map(({ id }) => id),
    model: null,
    enrichItem: async (item) => ({
      enrichment: enricher.enrich(item),
      version: enricher.version,
      record: null,
    }),
    readSpending: async () => ({ requests: 0, tokens: 0, cost: null }),
  });
}

type EvaluationRequest = {
  readonly world: World;
  readonly db: Db;
  /** Null: the configured model. */
  readonly name: string | null;
};

export async function evaluateModel(
  config: Config,
  { world, db, name }: EvaluationRequest,
  work: Work,
): Promise<void> {
  if (config.model === null) {
    throw new Fault(
      'invalid_request',
      'No model is configured: set MODEL_URL, or choose a model on the setup page. ' +
        'See docs/operations.md.',
    );
  }
  const { editorial, enricher, thresholds } = await openRules(config);
  const file = name === null ? config.model.file : { ...config.model.file, steps: {} };
  const settings = { ...config.model, name: name ?? config.model.name, file };
  const model = openModel(world, db, { settings });
  try {
    const services = await openModelServices(config, {
      editorial,
      enricher,
      requestModel: model.requestModel,
    });
    const { day } = shanghaiDay(world.clock.now());
    const spentBefore = await sumSince(db, day);
    await work({
      world,
      thresholds,
      enricherVersion: enricher.version,
      categories: editorial.categories.map(({ id }) => id),
      model: settings.name ?? 'models set per step',
      enrichItem: (item) => services.enricher.enrich(world, item),
      readSpending: async () => {
        const spentNow = await sumSince(db, day);
        const cost = spentNow.cost - spentBefore.cost;
        return {
          requests: spentNow.requests - spentBefore.requests,
          tokens: spentNow.tokens - spentBefore.tokens,
          cost: cost === 0n ? null : formatCny(cost),
        };
      },
    });
  } finally {
    await model.close();
  }
}

async function sumSince(db: Db, day: string) {
  const sum = { requests: 0, tokens: 0, cost: 0n };
  for (const row of await readSpendingSince(db, day)) {
    sum.requests += row.requests;
    sum.tokens += row.promptTokens + row.answerTokens;
    sum.cost += row.cost;
  }
  return sum;
}

async function openRules({ file, language }: Config) {
  const editorial = await readEditorial(file.editorial);
  const enricher = openRuleBasedEnricher(editorial, { siteLanguage: language });
  return { editorial, enricher, thresholds: editorial.scoring.thresholds };
}
