// Checks the fields of an operator's correction. All callers use the same limits.
import { foldWhitespace, stripControl } from '../../kernel/text/text.ts';
import type { ItemCorrection } from './change-item.ts';

const CORRECTION_MAX = { title: 300, summary: 2_000 } as const;

export type CorrectionProblem =
  | { readonly field: 'title' | 'summary'; readonly kind: 'too-long'; readonly max: number }
  | { readonly field: 'category'; readonly kind: 'unknown' };

/** Returns all problems of a correction. `categories`: the ids of the editorial folder. */
export function checkCorrection(
  fields: ItemCorrection,
  categories: readonly string[],
): readonly CorrectionProblem[] {
  const problems: CorrectionProblem[] = [];
  for (const field of ['title', 'summary'] as const) {
    const max = CORRECTION_MAX[field];
    if ((fields[field]?.length ?? 0) > max) problems.push({ field, kind: 'too-long', max });
  }
  const { category = null } = fields;
  if (category !== null && !categories.includes(category)) {
    problems.push({ field: 'category', kind: 'unknown' });
  }
  return problems;
}

/** One line without control characters. An empty text becomes null, which removes a correction. */
export function cleanCorrection(input: string): string | null {
  return foldWhitespace(stripControl(input)) || null;
}
