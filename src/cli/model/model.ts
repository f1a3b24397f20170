// `radar model …`: tests the configured model with the radar's requests.
import { Command } from 'commander';
import { Fault } from '../../kernel/errors/fault.ts';
import type { PromptName } from '../../radar/enrichment/prompts/prompt-files.ts';
import type { App, Evaluation } from '../app.ts';

export function modelCommand(app: App): Command {
  const command = new Command('model').description('Commands for the model that enriches items.');
  command
    .command('check')
    .description(
      'Enriches one built-in item with the configured model and your key, and prints which ' +
        'steps the model completed and what they cost.',
    )
    .option('--model <name>', 'another model at the same endpoint')
    .option('--json', 'as JSON')
    .action((options: { model?: string; json?: boolean }) => printModelReport(app, options));
  return command;
}

async function printModelReport(
  app: App,
  { model, json = false }: { readonly model?: string; readonly json?: boolean },
): Promise<void> {
  await app.evaluate(model ?? true, async (evaluation) => {
    const report = await checkModel(evaluation);
    app.terminal.out(json ? `${JSON.stringify(report, null, 2)}\n` : formatModelReport(report));
    const failedSteps = report.steps.filter(({ by }) => by === 'rules');
    if (failedSteps.length > 0) {
      const names = failedSteps.map(({ step }) => step).join(', ');
      throw new Fault(
        'upstream_error',
        `The model failed in these steps: ${names}. The reasons are printed above.`,
      );
    }
  });
}

type ModelReport = Awaited<ReturnType<typeof checkModel>>;

async function checkModel({ world, enrichItem, model, readSpending }: Evaluation) {
  const startedAt = world.clock.now();
  // Replies are cached by the text of the request. A unique name makes each check a real request.
  const name = `Teasel ${startedAt % 1_000_000}`;
  const { enrichment, record } = await enrichItem({
    id: `check-${startedAt}`,
    at: startedAt,
    title: `Harrow Works releases ${name}, a 12B model with open weights`,
    summary: '',
    text:
      `Harrow Works released ${name}, a language model with 12 billion parameters and open ` +
      'weights. It scores 61.4 percent on a public benchmark, up from 55.0 percent, and costs ' +
      '$0.40 per million tokens. The company said so on its blog.',
    url: 'https://example.com/teasel-3',
    language: 'en',
    source: { name: 'Harrow Works', tier: 'T1', participation: 'editorial' },
  });
  const steps = (record?.steps ?? []).map((step) =>
    step.by === 'model'
      ? { step: step.prompt, by: step.by, model: step.model, problem: null }
      : { step: step.prompt, by: step.by, model: null, problem: formatProblem(step) },
  );
  const fields = Object.entries(stepByField) as [keyof typeof stepByField, PromptName][];
  const isFilled = ([field, step]: (typeof fields)[number]) =>
    enrichment[field] !== null &&
    steps.some((result) => result.step === step && result.by === 'model');
  return {
    model,
    durationMs: world.clock.now() - startedAt,
    steps,
    filled: fields.filter(isFilled).map(([field]) => field),
    empty: fields.filter((entry) => !isFilled(entry)).map(([field]) => field),
    dropped: record?.dropped ?? [],
    spent: await readSpending(),
  };
}

/** The step that writes each field; after its failure the rules write the field. */
const stepByField = {
  title: 'write',
  summary: 'write',
  category: 'sort',
  score: 'score',
  reason: 'write',
} as const;

const formatProblem = ({
  why,
  detail,
}: {
  readonly why: string;
  readonly detail: string | null;
}) => (detail === null ? why : `${why}: ${detail}`);

function formatModelReport({
  model,
  durationMs,
  steps,
  filled,
  empty,
  dropped,
  spent,
}: ModelReport) {
  const { requests, tokens, cost } = spent;
  const price = cost === null ? 'no price is configured' : `CNY ${cost}`;
  const lines = [
    `${model ?? 'models set per step'}, ${durationMs} ms`,
    ...steps.map(({ step, by, model: name, problem }) =>
      by === 'model' ? `  ${step}: completed by ${name}` : `  ${step}: ${problem}`,
    ),
    `  filled   ${filled.join(', ') || 'nothing'}`,
    `  null     ${empty.join(', ') || 'nothing'}`,
    `  dropped  ${dropped.join('; ') || 'nothing'}`,
    `  cost     ${requests} requests, ${tokens} tokens, ${price}`,
  ];
  return `${lines.join('\n')}\n`;
}
