// Measures the accuracy of the enricher's categories against the labels of a careful reader. Labels
// have only ids and categories; the headlines are in a separate file. The tuning half and the
// held-out half are reported separately.
import { createHash } from 'node:crypto';
import { detectLanguage } from '../../language/detect-language.ts';
import type { Enricher } from '../enricher.ts';

export type Label = { readonly id: string; readonly category: string };
export type LabelledItem = {
  readonly id: string;
  readonly title: string;
  readonly text?: string | undefined;
  readonly lang?: string | undefined;
};

export type LabelHalfReport = {
  readonly count: number;
  readonly correct: number;
  /** 0..1; 0 without labels. */
  readonly accuracy: number;
  readonly byCategory: readonly {
    readonly category: string;
    /** Items to which the reader gave the category. */
    readonly labelled: number;
    /** Items to which the enricher gave the category. */
    readonly given: number;
    readonly correct: number;
  }[];
};

export type EnricherReport = {
  readonly tuning: LabelHalfReport;
  readonly heldOut: LabelHalfReport;
  /** The number of labels without an item, and of items without a label. */
  readonly unmatched: { readonly labels: number; readonly items: number };
};

/**
 * True when the first byte of the id's SHA-256 is odd. This rule was fixed before any tuning.
 */
export function isHeldOut(id: string): boolean {
  return ((createHash('sha256').update(id).digest()[0] ?? 0) & 1) === 1;
}

export function evaluateEnricher(
  labels: readonly Label[],
  items: readonly LabelledItem[],
  enricher: Enricher,
): EnricherReport {
  const categories = new Map(labels.map(({ id, category }) => [id, category]));
  const categorizedItems = items.flatMap((item) => {
    const category = categories.get(item.id);
    if (category === undefined) return [];
    return [{ id: item.id, expected: category, assigned: categoryOf(item, enricher) }];
  });
  return {
    tuning: reportHalf(categorizedItems.filter(({ id }) => !isHeldOut(id))),
    heldOut: reportHalf(categorizedItems.filter(({ id }) => isHeldOut(id))),
    unmatched: {
      labels: categories.size - new Set(categorizedItems.map(({ id }) => id)).size,
      items: items.length - categorizedItems.length,
    },
  };
}

/** Turns the texts of two JSON Lines files into a report and its output lines. */
export function runEnricherEvaluation(
  files: { readonly labels: string; readonly items: string },
  enricher: Enricher,
): { readonly report: EnricherReport; readonly text: string } {
  const report = evaluateEnricher(readLines<Label>(files.labels), readLines(files.items), enricher);
  const lines = [
    `desk ${enricher.version}`,
    ...formatHalf('tuning half', report.tuning),
    ...formatHalf('held-out half', report.heldOut),
  ];
  const { labels, items } = report.unmatched;
  if (labels + items > 0) lines.push(`unmatched: ${labels} labels, ${items} items`);
  return { report, text: lines.join('\n') };
}

type CategorizedItem = {
  readonly id: string;
  readonly expected: string;
  readonly assigned: string;
};

function categoryOf(item: LabelledItem, enricher: Enricher): string {
  const enrichment = enricher.enrich({
    title: item.title,
    text: item.text ?? '',
    summary: '',
    url: '',
    language: detectLanguage(item.title, item.lang ?? null),
    source: { name: '', tier: 'T2', participation: 'editorial' },
  });
  return enrichment.category ?? 'none';
}

function reportHalf(categorized: readonly CategorizedItem[]): LabelHalfReport {
  const correct = categorized.filter(({ expected, assigned }) => expected === assigned).length;
  const categories = [
    ...new Set(categorized.flatMap(({ expected, assigned }) => [expected, assigned])),
  ].sort();
  return {
    count: categorized.length,
    correct,
    accuracy: categorized.length === 0 ? 0 : correct / categorized.length,
    byCategory: categories.map((category) => ({
      category,
      labelled: categorized.filter(({ expected }) => expected === category).length,
      given: categorized.filter(({ assigned }) => assigned === category).length,
      correct: categorized.filter(
        ({ expected, assigned }) => expected === category && assigned === category,
      ).length,
    })),
  };
}

function formatHalf(name: string, half: LabelHalfReport): readonly string[] {
  return [
    `${name}: ${half.correct} of ${half.count} right, accuracy ${half.accuracy.toFixed(3)}`,
    ...half.byCategory.map(
      ({ category, labelled, given, correct }) =>
        `  ${category}: ${labelled} labelled, ${given} given, ${correct} right`,
    ),
  ];
}

function readLines<Row>(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): Row => JSON.parse(line));
}
