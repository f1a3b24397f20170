// `radar eval desk`: compares the enricher's categories with labels, on both halves of the labels.
import { runEnricherEvaluation } from '../../radar/enrichment/evaluation/evaluate-enricher.ts';
import {
  parseLabelledRows,
  parseLabels,
  requireKnownCategories,
} from '../../radar/enrichment/evaluation/evaluate-selection.ts';
import type { App } from '../app.ts';
import { readFileAt } from '../read-file-at.ts';

/** Whether at least one item has a category label. */
export async function hasCategories(path: string): Promise<boolean> {
  return parseLabelledRows((await readFileAt(path)).toString('utf8')).some(
    ({ category }) => category !== null,
  );
}

export async function evaluateEnrichment(
  app: App,
  options: { readonly items: string; readonly labels?: string },
): Promise<void> {
  const { enricher, categories, labelsFile } = await app.openEnricher();
  const labels = await readFileAt(options.labels ?? labelsFile);
  const items = await readFileAt(options.items);
  const files = { labels: labels.toString('utf8'), items: items.toString('utf8') };
  requireKnownCategories(parseLabels(files.labels), categories);
  parseLabelledRows(files.items);
  app.terminal.out(`${runEnricherEvaluation(files, enricher).text}\n`);
}
