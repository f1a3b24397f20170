// Computes an item's score, 0..100, from the source's tier, the content (figures, names, length)
// and the news value (features, category). All points are data of the editorial folder.

import type { ScoringRules } from '../editorial-files.ts';
import type { Tier } from '../enricher.ts';
import type { Evidence } from './detect-features.ts';

export type ScoreInput = {
  readonly tier: Tier;
  readonly category: string | null;
  readonly evidence: Evidence;
  /** The written title and summary. */
  readonly visible: string;
  /** Number of different proper names. */
  readonly nameCount: number;
  /** Characters of the body; an ideograph counts as two. */
  readonly textLength: number;
};

/** An integer from 0 to 100. */
export function scoreItem(rules: ScoringRules, input: ScoreInput): number {
  const { tier, category, evidence, visible, nameCount, textLength } = input;
  let points = rules.base[tier];
  if (category !== null) points += rules.categories[category] ?? 0;
  for (const [feature, strength] of evidence) points += strength * (rules.features[feature] ?? 0);
  if (!evidence.has(rules.offField.feature)) points += rules.offField.points[tier];
  const figures = visible.match(/\p{N}+(?:[.,]\p{N}+)*/gu)?.length ?? 0;
  points += Math.min(rules.figure.most, figures * rules.figure.points);
  points += Math.min(rules.name.most, nameCount * rules.name.points);
  if (textLength === 0) points += rules.bare;
  else {
    const doublings = Math.max(0, Math.log2(textLength / rules.length.from));
    points += Math.min(rules.length.most, doublings * rules.length.points);
  }
  return Math.round(Math.min(100, Math.max(0, points)));
}
