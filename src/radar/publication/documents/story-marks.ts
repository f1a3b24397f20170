// The first contradiction or revision of a story as one line of text, for feeds and images.
import type { StorySummary } from './story-summary.ts';

const phrases = {
  en: { disagree: 'Reports disagree: ', revised: 'Revised: ' },
  'zh-CN': { disagree: '各方说法不一：', revised: '已更正：' },
} as const;

/** Null: its reports agree, and no figure was revised. */
export function markText(
  { contradictions: [contradiction], revision }: Pick<StorySummary, 'contradictions' | 'revision'>,
  language: 'en' | 'zh-CN',
): string | null {
  if (contradiction !== undefined) {
    const { subject, values } = contradiction;
    return `${phrases[language].disagree}${subject}, ${values.join(' / ')}`;
  }
  if (revision === null) return null;
  const { subject, previous, current } = revision;
  return `${phrases[language].revised}${subject}, ${previous} → ${current}`;
}
