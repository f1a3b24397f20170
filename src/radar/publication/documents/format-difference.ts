// Formats the first contradiction or revision of a story as one line of text, for feeds and images.
import { guessLanguage } from '../../../kernel/html/text-language.ts';
import type { StorySummary } from './story-summary.ts';

const phrases = {
  en: { disagree: 'Reports disagree: ', revised: 'Revised: ' },
  'zh-CN': { disagree: '各方说法不一：', revised: '已更正：' },
} as const;

/** Null: the reports of the story agree, and no figure was revised. */
export function formatDifference(
  { contradictions: [contradiction], revision }: Pick<StorySummary, 'contradictions' | 'revision'>,
  language: 'en' | 'zh-CN',
): string | null {
  const { disagree, revised } = phrases[language];
  if (contradiction !== undefined) {
    const { subject, values } = contradiction;
    return disagree + formatFigures(subject, values.join(' / '));
  }
  if (revision === null) return null;
  const { subject, previous, current } = revision;
  return revised + formatFigures(subject, `${previous} → ${current}`);
}

/** For example `the amount raised, $40m / $55m`. The comma follows the subject's language. */
export const formatFigures = (subject: string, figures: string): string =>
  `${subject}${guessLanguage(subject) === 'zh' ? '，' : ', '}${figures}`;
