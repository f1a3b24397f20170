// Compares scores with the choices of a careful reader: precision, recall and accuracy at every
// threshold and at the configured ones. Operators use it to set thresholds for their own field.
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { detectLanguage } from '../../language/detect-language.ts';
import { type EnrichmentInput, type Tier, tiers } from '../enricher.ts';

/** Number of labels that an error names. */
const NAMED_LABELS = 5;

const row = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  title: z.string(),
  text: z.string().nullish(),
  summary: z.string().nullish(),
  lang: z.string().nullish(),
  url: z.string().nullish(),
  /** ISO 8601; the day of the evaluation when absent. */
  time: z.string().nullish(),
  source: z.object({ name: z.string().nullish(), tier: z.enum(tiers).nullish() }).nullish(),
  category: z.string().nullish(),
  selected: z.boolean().nullish(),
});

export type LabelledRow = {
  readonly id: string;
  readonly input: EnrichmentInput;
  /** Epoch milliseconds; null when absent. */
  readonly at: number | null;
  readonly category: string | null;
  readonly selected: boolean | null;
};

/** JSON Lines in the format of `docs/customize.md`. Errors name the line. */
export function parseLabelledRows(text: string): readonly LabelledRow[] {
  return text.split('\n').flatMap((line, lineIndex): LabelledRow[] => {
    if (line.trim() === '') return [];
    const { id, title, source, time, ...otherFields } = parseLine(row, line, 'items', lineIndex);
    const publishedAt = time === null || time === undefined ? null : Date.parse(time);
    if (Number.isNaN(publishedAt)) {
      throw problemAt('items', lineIndex, `"${time}" is not a time`);
    }
    const language = detectLanguage(
      `${title}\n${otherFields.text ?? ''}`,
      otherFields.lang ?? null,
    );
    return [
      {
        id,
        at: publishedAt,
        category: otherFields.category ?? null,
        selected: otherFields.selected ?? null,
        input: {
          title,
          text: otherFields.text ?? '',
          summary: otherFields.summary ?? '',
          url: otherFields.url ?? '',
          language,
          source: {
            name: source?.name ?? '',
            tier: source?.tier ?? 'T2',
            participation: 'editorial',
          },
        },
      },
    ];
  });
}

const labelRow = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  category: z.string(),
});

/** JSON Lines of `{ id, category }`. Errors name the line. */
export function parseLabels(text: string): readonly z.infer<typeof labelRow>[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [parseLine(labelRow, line, 'labels', index)],
    );
}

/** Throws a Fault that names labels with unknown categories. */
export function requireKnownCategories(
  labels: readonly { readonly id: string; readonly category: string }[],
  categories: readonly string[],
): void {
  const unknownLabels = labels.filter(({ category }) => !categories.includes(category));
  if (unknownLabels.length === 0) return;
  const labelTexts = unknownLabels.slice(0, NAMED_LABELS).map(({ id, category }) => {
    return `item ${id} has "${category}"`;
  });
  const others = unknownLabels.length - labelTexts.length;
  throw new Fault(
    'invalid_request',
    `Unknown categories: ${labelTexts.join(', ')}${others === 0 ? '' : ` and ${others} more`}. ` +
      `Categories: ${categories.join(', ')}.`,
  );
}

type LineFile = 'items' | 'labels';

function parseLine<T>(schema: z.ZodType<T>, line: string, file: LineFile, index: number): T {
  const checkResult = schema.safeParse(parseJson(line, file, index));
  if (checkResult.success) return checkResult.data;
  const [issue] = checkResult.error.issues;
  throw problemAt(file, index, `${issue?.path.join('.') || 'the line'}: ${issue?.message}`);
}

function parseJson(line: string, file: LineFile, lineIndex: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw problemAt(file, lineIndex, 'it is not JSON');
  }
}

const problemAt = (file: LineFile, lineIndex: number, problem: string) =>
  new Fault('invalid_request', `Line ${lineIndex + 1} of the ${file}: ${problem}.`);

/** `wanted`: the reader chose the item. */
export type ScoredRow = { readonly wanted: boolean; readonly score: number; readonly tier: Tier };

export type ThresholdResult = {
  /** A score, or `standing` for each tier's threshold in `enrichment/scoring.json`. */
  readonly threshold: number | 'standing';
  /** Items with a sufficient score, and those of them that the reader chose. */
  readonly chosen: number;
  readonly right: number;
  /** 0..1; null when undefined. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly accuracy: number;
};

export type SelectionReport = {
  readonly items: number;
  readonly wanted: number;
  readonly thresholds: readonly ThresholdResult[];
};

export function measureSelection(
  rows: readonly ScoredRow[],
  thresholds: readonly number[],
  tierThresholds: Readonly<Record<Tier, number>>,
): SelectionReport {
  const wantedCount = rows.filter((row) => row.wanted).length;
  const measureThreshold = (
    threshold: ThresholdResult['threshold'],
    isChosen: (scoredRow: ScoredRow) => boolean,
  ): ThresholdResult => {
    const chosenRows = rows.filter(isChosen);
    const rightCount = chosenRows.filter((choice) => choice.wanted).length;
    const missedCount = wantedCount - rightCount;
    return {
      threshold,
      chosen: chosenRows.length,
      right: rightCount,
      precision: chosenRows.length === 0 ? null : rightCount / chosenRows.length,
      recall: wantedCount === 0 ? null : rightCount / wantedCount,
      accuracy:
        rows.length === 0
          ? 0
          : (rows.length - (chosenRows.length - rightCount) - missedCount) / rows.length,
    };
  };
  return {
    items: rows.length,
    wanted: wantedCount,
    thresholds: [
      ...thresholds.map((threshold) =>
        measureThreshold(threshold, ({ score }) => score >= threshold),
      ),
      measureThreshold('standing', ({ score, tier }) => score >= tierThresholds[tier]),
    ],
  };
}
