// A linear classifier over the evidence. Features and weights are data of the editorial folder.
import type { Weights } from '../editorial-files.ts';
import type { Evidence } from './detect-features.ts';

/** Maps evidence to the category with the greatest sum; ties go to the earlier category. */
export function openClassifier(
  categories: readonly string[],
  { bias, learned, given }: Weights,
): (evidence: Evidence) => string | null {
  return (evidence) => {
    let bestCategory: { category: string; sum: number } | null = null;
    for (const category of categories) {
      let sum = bias[category] ?? 0;
      for (const [feature, strength] of evidence) {
        const weight = (learned[feature]?.[category] ?? 0) + (given[feature]?.[category] ?? 0);
        sum += strength * weight;
      }
      if (bestCategory === null || sum > bestCategory.sum) bestCategory = { category, sum };
    }
    return bestCategory?.category ?? null;
  };
}
