// Finds faults of a model's texts, as defined in docs/editorial.md. Faults of length are excluded,
// because each prompt has its own limits.
import { sentenceFaults, type TextFault, titleFaults } from './text-faults.ts';

/** Returns the faults without those of length. */
export const withoutLength = (faults: readonly TextFault[]) =>
  faults.filter((fault) => fault !== 'too_long' && fault !== 'too_short');

export function checkModelSentence(text: string, language: string): readonly TextFault[] {
  return withoutLength(sentenceFaults(text, language));
}

/** Faults of a model's text in a report; a headline obeys the rules of titles. */
export function checkModelProse(
  { text, field }: { readonly text: string; readonly field: string },
  language: string,
): readonly string[] {
  const check = field === 'headline' ? titleFaults : sentenceFaults;
  return withoutLength(check(text, language)).map(
    (fault) => `${field}: ${fault.replaceAll('_', ' ')}`,
  );
}
