// Trains editorial/enrichment/weights.json, a multinomial logistic regression over the features.
// The training data are the tuning half of the labels and the project's own headlines. The held-out
// half is only used for the score. Usage: bin/node24 bench/train-enrichment.ts --items
// <items.jsonl>
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Editorial, Weights } from '../src/radar/enrichment/editorial-files.ts';
import {
  isHeldOut,
  runEnricherEvaluation,
} from '../src/radar/enrichment/evaluation/evaluate-enricher.ts';
import { readEditorial } from '../src/radar/enrichment/read-editorial.ts';
import { openEvidenceReader } from '../src/radar/enrichment/rules/detect-features.ts';
import { openRuleBasedEnricher } from '../src/radar/enrichment/rules/rule-based-enricher.ts';

const folder = new URL('../editorial/', import.meta.url);
const settings = { rounds: 2_000, rate: 1, decay: 0.003, ownHeadlines: 1 };

type Example = {
  readonly features: readonly string[];
  readonly category: string;
  readonly share: number;
};

const { values } = parseArgs({ options: { items: { type: 'string' } } });
if (values.items === undefined) throw new Error('--items <items.jsonl> with labels is needed');
const editorial = await readEditorial(fileURLToPath(folder));
const labels = await readFile(new URL('labels/ai-news.jsonl', folder), 'utf8');
const items = await readFile(values.items, 'utf8');
const ownHeadlines = await readFile(new URL('labels/own-headlines.jsonl', folder), 'utf8');

const weights = trainWeights(editorial, examplesOf(editorial));
await writeFile(
  new URL('enrichment/weights.json', folder),
  `${JSON.stringify(weights, null, 1)}\n`,
);
const enricher = openRuleBasedEnricher({ ...editorial, weights }, { siteLanguage: 'en' });
console.log(runEnricherEvaluation({ labels, items }, enricher).text);

function examplesOf({ features, scoring }: Editorial): readonly Example[] {
  const readEvidence = openEvidenceReader(features, scoring.leadFactor);
  const featuresOf = (title: string): readonly string[] => [
    ...readEvidence({ title, lead: '', visible: '', url: '', source: '' }).keys(),
  ];
  const category = new Map(
    readLines(labels).map((label) => [label.id, label.category ?? ''] as const),
  );
  const tuning = readLines(items)
    .filter(({ id }) => id !== undefined && category.has(id) && !isHeldOut(id))
    .map(({ id, title }) => ({
      features: featuresOf(title ?? ''),
      category: category.get(id) ?? '',
      share: 1,
    }));
  const ownExamples = readLines(ownHeadlines).map((headline) => ({
    features: featuresOf(headline.title ?? ''),
    category: headline.category ?? '',
    share: settings.ownHeadlines,
  }));
  return [...tuning, ...ownExamples];
}

/** Batch gradient descent on cross-entropy with an L2 penalty. Deterministic. */
function trainWeights({ categories, features }: Editorial, examples: readonly Example[]): Weights {
  const ids = categories.map((category) => category.id);
  const zero = (): Record<string, number> => Object.fromEntries(ids.map((id) => [id, 0]));
  const bias = zero();
  const weights: Record<string, Record<string, number>> = Object.fromEntries(
    Object.entries(features)
      .filter(([, rule]) => rule.in === 'title')
      .map(([id]) => [id, zero()]),
  );
  const total = examples.reduce((sum, example) => sum + example.share, 0);
  for (let round = 0; round < settings.rounds; round += 1) {
    const gradients = new Map<Record<string, number>, Record<string, number>>();
    for (const example of examples) {
      const exampleFeatures = example.features.flatMap((feature) => {
        const row = weights[feature];
        return row === undefined ? [] : [row];
      });
      const rows: Record<string, number>[] = [bias, ...exampleFeatures];
      const sums = ids.map((id) => rows.reduce((sum, row) => sum + (row[id] ?? 0), 0));
      const highest = Math.max(...sums);
      const exponentials = sums.map((score) => Math.exp(score - highest));
      const exponentialSum = exponentials.reduce((sum, value) => sum + value, 0);
      for (const [index, id] of ids.entries()) {
        const error =
          (exponentials[index] ?? 0) / exponentialSum - (id === example.category ? 1 : 0);
        for (const row of rows) {
          const gradient = gradients.get(row) ?? gradients.set(row, zero()).get(row);
          if (gradient) gradient[id] = (gradient[id] ?? 0) + (error * example.share) / total;
        }
      }
    }
    for (const [row, gradient] of gradients) {
      const decay = row === bias ? 0 : settings.decay;
      for (const id of ids) {
        row[id] = (row[id] ?? 0) - settings.rate * ((gradient[id] ?? 0) + decay * (row[id] ?? 0));
      }
    }
  }
  const roundRow = (row: Record<string, number>) =>
    Object.fromEntries(ids.map((id) => [id, Math.round((row[id] ?? 0) * 1_000) / 1_000]));
  return {
    madeBy: 'bench/train-enrichment.ts',
    bias: roundRow(bias),
    learned: Object.fromEntries(
      Object.entries(weights).map(([feature, row]) => [feature, roundRow(row)]),
    ),
    given: editorial.weights.given,
  };
}

function readLines(text: string): readonly Partial<Record<string, string>>[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}
