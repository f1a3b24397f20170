// How often the desk's category is the one a careful reader gave. Labels are ids and categories
// only; the headlines are somebody else's file. Both halves are reported, the tuned-on one first.
import { createHash } from 'node:crypto';
import { detectLanguage } from '../../language/detect-language.ts';
import type { Desk } from '../enricher.ts';

export type Label = { readonly id: string; readonly category: string };
export type LabelledItem = {
  readonly id: string;
  readonly title: string;
  readonly text?: string | undefined;
  readonly lang?: string | undefined;
};

export type HalfReport = {
  readonly count: number;
  readonly correct: number;
  /** 0..1; 0 when nothing was labelled. */
  readonly accuracy: number;
  readonly byCategory: readonly {
    readonly category: string;
    readonly labelled: number;
    readonly given: number;
    readonly correct: number;
  }[];
};

export type DeskReport = {
  readonly tuning: HalfReport;
  readonly heldOut: HalfReport;
  /** Labels without an item, items without a label. */
  readonly unmatched: { readonly labels: number; readonly items: number };
};

/** Held out are the ids whose SHA-256 begins with an odd byte: settled before any tuning. */
export function isHeldOut(id: string): boolean {
  return ((createHash('sha256').update(id).digest()[0] ?? 0) & 1) === 1;
}

export function evaluateDesk(
  labels: readonly Label[],
  items: readonly LabelledItem[],
  desk: Desk,
): DeskReport {
  const wanted = new Map(labels.map((l) => [l.id, l.category]));
  const judged = items.flatMap((item) => {
    const category = wanted.get(item.id);
    if (category === undefined) return [];
    return [{ id: item.id, wanted: category, given: categoryOf(item, desk) }];
  });
  return {
    tuning: halfOf(judged.filter((j) => !isHeldOut(j.id))),
    heldOut: halfOf(judged.filter((j) => isHeldOut(j.id))),
    unmatched: {
      labels: wanted.size - new Set(judged.map((j) => j.id)).size,
      items: items.length - judged.length,
    },
  };
}

/** From the texts of two JSON-lines files to the report and the lines that say it. */
export function runDeskEvaluation(
  files: { readonly labels: string; readonly items: string },
  desk: Desk,
): { readonly report: DeskReport; readonly text: string } {
  const report = evaluateDesk(readLines<Label>(files.labels), readLines(files.items), desk);
  const lines = [
    `desk ${desk.version}`,
    ...halfLines('tuning half', report.tuning),
    ...halfLines('held-out half', report.heldOut),
  ];
  const { labels, items } = report.unmatched;
  if (labels + items > 0) lines.push(`unmatched: ${labels} labels, ${items} items`);
  return { report, text: lines.join('\n') };
}

type Judged = { readonly id: string; readonly wanted: string; readonly given: string };

function categoryOf(item: LabelledItem, desk: Desk): string {
  const judgement = desk.judge({
    title: item.title,
    text: item.text ?? '',
    summary: '',
    url: '',
    language: detectLanguage(item.title, item.lang ?? null),
    source: { name: '', tier: 'T2', participation: 'editorial' },
  });
  return judgement.category ?? 'none';
}

function halfOf(judged: readonly Judged[]): HalfReport {
  const correct = judged.filter((j) => j.wanted === j.given).length;
  const categories = [...new Set(judged.flatMap((j) => [j.wanted, j.given]))].sort();
  return {
    count: judged.length,
    correct,
    accuracy: judged.length === 0 ? 0 : correct / judged.length,
    byCategory: categories.map((category) => ({
      category,
      labelled: judged.filter((j) => j.wanted === category).length,
      given: judged.filter((j) => j.given === category).length,
      correct: judged.filter((j) => j.wanted === category && j.given === category).length,
    })),
  };
}

function halfLines(name: string, half: HalfReport): readonly string[] {
  return [
    `${name}: ${half.correct} of ${half.count} right, accuracy ${half.accuracy.toFixed(3)}`,
    ...half.byCategory.map(
      (c) => `  ${c.category}: ${c.labelled} labelled, ${c.given} given, ${c.correct} right`,
    ),
  ];
}

function readLines<Row>(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): Row => JSON.parse(line));
}
