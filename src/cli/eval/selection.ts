// `radar eval desk` and `radar eval selection` on the user's own files. With a model, the commands
// run the normal pipeline, which stores paid replies and reuses them. Without a model, they use the
// rules.
import { Fault } from '../../kernel/errors/fault.ts';
import type { EnrichmentInput } from '../../radar/enrichment/enricher.ts';
import {
  type LabelledRow,
  measureSelection,
  parseLabelledRows,
  parseLabels,
  requireKnownCategories,
  type ThresholdResult,
} from '../../radar/enrichment/evaluation/evaluate-selection.ts';
import type { App, Evaluation } from '../app.ts';
import { openProgress } from '../progress.ts';
import { readFileAt } from '../read-file-at.ts';
import { textTable } from '../text-table.ts';

export type EvalOptions = {
  readonly items: string;
  readonly labels?: string;
  /** `true`: the configured model; a name: this model at the same address. */
  readonly model?: string | true;
  readonly thresholds?: string;
  readonly json?: boolean;
};

const CONCURRENCY = 8;

type EnrichedRow = {
  readonly row: LabelledRow;
  readonly category: string | null;
  readonly score: number;
  /** Steps that used the rules instead of the model. */
  readonly fellBack: number;
};

export async function evaluateSelection(app: App, options: EvalOptions): Promise<void> {
  const thresholds = parseThresholds(options.thresholds);
  const rows = parseLabelledRows((await readFileAt(options.items)).toString('utf8'));
  const labelledRows = rows.filter(({ selected }) => selected !== null);
  if (labelledRows.length === 0)
    throw new Fault('invalid_request', 'No line has the key "selected".');
  await app.evaluate(requestedModel(options), async (evaluation) => {
    const enrichedRows = await enrichAll(app, evaluation, labelledRows);
    const scored = enrichedRows.map(({ row, score }) => ({
      wanted: row.selected === true,
      score,
      tier: row.input.source.tier,
    }));
    const report = measureSelection(scored, thresholds, evaluation.thresholds);
    const facts = await readFacts(evaluation, enrichedRows);
    if (options.json)
      return app.terminal.out(`${JSON.stringify({ ...facts, ...report }, null, 2)}\n`);
    app.terminal.out(`${formatFacts(facts)}${report.wanted} of ${report.items} are wanted\n`);
    app.terminal.out(textTable([headings, ...report.thresholds.map(formatRow)]));
  });
}

/** Prints the accuracy of all categories, and the precision and recall of each category. */
export async function evaluateCategories(app: App, options: EvalOptions): Promise<void> {
  const rows = parseLabelledRows((await readFileAt(options.items)).toString('utf8'));
  const labels = await readLabels(options.labels);
  const labelledRows = rows.flatMap((row) => {
    const category = labels.get(row.id) ?? row.category;
    return category === null ? [] : [{ ...row, category }];
  });
  if (labelledRows.length === 0) throw new Fault('invalid_request', 'No item has a category.');
  await app.evaluate(requestedModel(options), async (evaluation) => {
    requireKnownCategories(labelledRows, evaluation.categories);
    const enrichedRows = await enrichAll(app, evaluation, labelledRows);
    const correctCount = enrichedRows.filter(
      ({ row, category }) => row.category === category,
    ).length;
    const ids = [...new Set(enrichedRows.flatMap(({ row, category }) => [row.category, category]))];
    const categories = ids
      .filter((id) => id !== null)
      .sort()
      .map((id) => scoreCategory(id, enrichedRows));
    const report = {
      items: enrichedRows.length,
      right: correctCount,
      accuracy: correctCount / enrichedRows.length,
      categories,
    };
    const facts = await readFacts(evaluation, enrichedRows);
    if (options.json)
      return app.terminal.out(`${JSON.stringify({ ...facts, ...report }, null, 2)}\n`);
    const { accuracy } = report;
    app.terminal.out(
      `${formatFacts(facts)}${correctCount} of ${enrichedRows.length} right, ` +
        `${formatShare(accuracy)}\n`,
    );
    const lines = categories.map((category) => [
      ...[
        category.category,
        String(category.labelled),
        String(category.given),
        String(category.right),
      ],
      ...[formatShare(category.precision), formatShare(category.recall)],
    ]);
    const head = ['category', 'labelled', 'given', 'right', 'precision', 'recall'];
    app.terminal.out(textTable([head, ...lines]));
  });
}

function scoreCategory(category: string, enrichedRows: readonly EnrichedRow[]) {
  const labelled = enrichedRows.filter(({ row }) => row.category === category).length;
  const assignedCount = enrichedRows.filter((entry) => entry.category === category).length;
  const correctItems = enrichedRows.filter(
    (entry) => entry.category === category && entry.row.category === category,
  );
  return {
    category,
    labelled,
    given: assignedCount,
    right: correctItems.length,
    precision: assignedCount === 0 ? null : correctItems.length / assignedCount,
    recall: labelled === 0 ? null : correctItems.length / labelled,
  };
}

async function enrichAll(
  app: App,
  { world, enrichItem }: Evaluation,
  rows: readonly LabelledRow[],
): Promise<readonly EnrichedRow[]> {
  const progress = openProgress(world.clock, app.terminal);
  const enrichedRows: EnrichedRow[] = [];
  const remainingRows = rows.entries();
  const enrichNext = async () => {
    for (const [index, row] of remainingRows) {
      const item = { ...row.input, id: row.id, at: row.at ?? world.clock.now() };
      const { enrichment, record } = await enrichItem(item satisfies EnrichmentInput);
      const fellBack = record?.steps.filter(({ by }) => by === 'rules').length ?? 0;
      enrichedRows[index] = {
        row,
        category: enrichment.category,
        score: enrichment.score,
        fellBack,
      };
      progress.show(`enriched ${enrichedRows.filter(Boolean).length}/${rows.length}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, enrichNext));
  progress.clear();
  return enrichedRows;
}

type Facts = {
  readonly enricher: string;
  readonly model: string | null;
  /** Steps that used the rules instead of the model. */
  readonly fellBack: number;
  readonly requests: number;
  readonly tokens: number;
  /** CNY as a decimal; null: no price is known. */
  readonly cost: string | null;
};

async function readFacts(
  evaluation: Evaluation,
  enrichedRows: readonly EnrichedRow[],
): Promise<Facts> {
  const { enricherVersion: enricher, model, readSpending } = evaluation;
  const fellBack = enrichedRows.reduce((sum, entry) => sum + entry.fellBack, 0);
  return { enricher, model, fellBack, ...(await readSpending()) };
}

function formatFacts({ enricher, model, fellBack, requests, tokens, cost }: Facts): string {
  if (model === null) return `${enricher}\n`;
  const price = cost === null ? '' : `, CNY ${cost}`;
  const fallbackText = fellBack === 0 ? '' : `; ${fellBack} steps used the rule-based enricher`;
  return `${model}: ${requests} requests, ${tokens} tokens${price}${fallbackText}\n`;
}

const headings = ['threshold', 'chosen', 'right', 'precision', 'recall', 'accuracy'];
const formatShare = (value: number | null) => (value === null ? '–' : value.toFixed(3));

function formatRow(result: ThresholdResult): readonly string[] {
  const {
    threshold,
    chosen: selectedCount,
    right: correctCount,
    precision,
    recall,
    accuracy,
  } = result;
  const counts = [String(threshold), String(selectedCount), String(correctCount)];
  return [...counts, formatShare(precision), formatShare(recall), formatShare(accuracy)];
}

const requestedModel = ({ model }: EvalOptions): string | boolean => model ?? false;

function parseThresholds(text = '30,35,40,45,50,55,60,65,70'): readonly number[] {
  const values = text.split(',').map(Number);
  if (values.every((value) => Number.isFinite(value) && value >= 0 && value <= 100)) return values;
  throw new Fault('invalid_request', '--thresholds must be numbers from 0 to 100: 40,50,60');
}

async function readLabels(file: string | undefined): Promise<ReadonlyMap<string, string>> {
  if (file === undefined) return new Map();
  const labels = parseLabels((await readFileAt(file)).toString('utf8'));
  return new Map(labels.map(({ id, category }) => [id, category]));
}
