// Mechanical faults of a published sentence or title, as defined in docs/editorial.md. The patterns
// of `editorial/digest/text-faults.json` describe English and Chinese grammar and forms of the web.
import { z } from 'zod';
import file from '../../../editorial/digest/text-faults.json' with { type: 'json' };
import { primaryLanguage } from '../../kernel/text/primary-language.ts';
import { isHan } from './event-sentence.ts';

export const textFaults = [
  'first_person',
  'second_person',
  'handle',
  'link',
  'post',
  'furniture',
  'deictic',
  'question',
  'exclamation',
  'quotation',
  'dependent',
  'missing_subject',
  'incomplete',
  'opinion',
  'mixed_language',
  'internal_name',
  'too_long',
  'too_short',
] as const;
export type TextFault = (typeof textFaults)[number];

export const textFaultsFile = z.strictObject({
  faults: z.array(
    z.strictObject({
      fault: z.enum(textFaults),
      /** Where the patterns apply. Text inside quotations may use any person and any day. */
      place: z.enum(['outside_quotations', 'anywhere', 'sentence_start', 'title_start']),
      isCaseSensitive: z.boolean(),
      patterns: z.array(z.string().min(1)).min(1),
    }),
  ),
});

type FaultCheck = { readonly fault: TextFault; readonly pattern: RegExp };

const checks = Map.groupBy(
  textFaultsFile.parse(file).faults.map(({ fault, place, isCaseSensitive, patterns }) => {
    const pattern = new RegExp(patterns.join('|'), isCaseSensitive ? 'u' : 'iu');
    return { fault, place, pattern };
  }),
  ({ place }) => place,
);

type FaultPlace = 'outside_quotations' | 'anywhere' | 'sentence_start' | 'title_start';

const findFaultsAt = (place: FaultPlace, text: string): readonly TextFault[] =>
  (checks.get(place) ?? []).flatMap(({ fault, pattern }: FaultCheck) =>
    pattern.test(text) ? [fault] : [],
  );

const quotation = new RegExp(
  [
    '“[^”]*”',
    '"[^"]*"',
    '「[^」]*」',
    '『[^』]*』',
    '《[^》]*》',
    '‘[^’]*’(?!\\p{L})',
    "(?<=\\s|^)'[^']+'(?=[\\s,.]|$)",
  ].join('|'),
  'gu',
);

/** Allowed lengths in characters. Chinese needs about half as many characters. */
const lengthBounds = {
  sentence: { latin: [30, 420], wide: [12, 160] },
  title: { latin: [15, 200], wide: [6, 80] },
} as const;

/** Faults of one sentence of running text. `language` is the language of its report. */
export function sentenceFaults(text: string, language: string): readonly TextFault[] {
  const faults = new Set<TextFault>(commonFaults(text, language, 'sentence'));
  if (!/[.。!！?？…；][\p{Pe}\p{Pf}"'”’]*$/u.test(text) || /(?:\.\.\.|…)["”’]*$/u.test(text)) {
    faults.add('incomplete');
  }
  return [...new Set([...faults, ...findFaultsAt('sentence_start', text)])];
}

/** Faults of a title. It may omit articles and stops; it must not be a question. */
export function titleFaults(title: string, language: string): readonly TextFault[] {
  const faults = new Set<TextFault>(commonFaults(title, language, 'title'));
  faults.delete('quotation');
  if (/(?:\.\.\.|…)$/u.test(title)) faults.add('incomplete');
  return [...new Set([...faults, ...findFaultsAt('title_start', title.replace(quotation, '“”'))])];
}

function commonFaults(text: string, language: string, kind: keyof typeof lengthBounds) {
  const unquotedText = text.replace(quotation, ' ');
  const isChinese = isChineseText(text);
  const faults = [
    ...findFaultsAt('outside_quotations', unquotedText),
    ...findFaultsAt('anywhere', text),
  ];
  const [min, max] = lengthBounds[kind][isChinese ? 'wide' : 'latin'];
  if (text.length > max) faults.push('too_long');
  if (text.length < min) faults.push('too_short');
  if (isMixedLanguage(text, language)) faults.push('mixed_language');
  return faults;
}

function isChineseText(text: string): boolean {
  const han = text.match(/\p{sc=Han}/gu)?.length ?? 0;
  const words = text.match(/[\p{sc=Latin}]+/gu)?.length ?? 0;
  return han > 2 * words;
}

/** English in a Chinese text beyond names and titles, or Chinese in an English one. */
function isMixedLanguage(text: string, language: string): boolean {
  const base = primaryLanguage(language);
  if (base === 'zh')
    return !/\p{sc=Han}{2}/u.test(text) || /(?:\b\p{Ll}[\p{L}'’]+[\s,]+){6}/u.test(text);
  return base === 'en' && isHan(text);
}
