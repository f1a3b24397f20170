// Writes the reason for a selection in one line for readers. It uses only matched evidence: the
// first matching subject, and the first two details in the order of the rules.

import type { ReasonRules } from '../editorial-files.ts';
import type { SiteLanguage, Tier } from '../enricher.ts';
import type { Evidence } from './detect-features.ts';

export type ReasonInput = {
  readonly tier: Tier;
  readonly category: string | null;
  readonly evidence: Evidence;
};

export function writeReason(
  rules: ReasonRules,
  language: SiteLanguage,
  { tier, category, evidence }: ReasonInput,
): string | null {
  // A feature that matches only in the lead has a lower value than 1. It is not mentioned, because
  // readers may not see the lead.
  const isInOwnField = (feature: string) => evidence.get(feature) === 1;
  const subject = rules.subjects.find(
    (candidate) =>
      (candidate.tiers === undefined || candidate.tiers.includes(tier)) &&
      (candidate.category === undefined || candidate.category === category) &&
      (candidate.feature === undefined || isInOwnField(candidate.feature)),
  );
  if (subject === undefined) return null;
  const [first, second] = rules.details
    .filter(({ feature }) => isInOwnField(feature))
    .map(({ text }) => text);
  const { none, one, two } = rules.sentences;
  const sentence = second !== undefined ? two : first !== undefined ? one : none;
  return sentence[language]
    .replace('{subject}', subject.text[language])
    .replace('{first}', first?.[language] ?? '')
    .replace('{second}', second?.[language] ?? '');
}
