// Numbers that are part of a name and count nothing. Examples: a version ("Skiff 2.5"), a size in a
// model's name ("Esker 4 14B"), a word of a work's title.
import { isCommonWord } from './find-names.ts';

const behindName = /(\p{Lu}[\p{L}\p{N}.-]*)(?<version> \d[\p{L}\d.]{0,6})?[ -]?$/u;

/** Whether a name, or the version after it, ends right before `start`. */
export function isAfterName(cased: string, start: number): boolean {
  const name = behindName.exec(cased.slice(Math.max(0, start - 32), start))?.[1];
  return name !== undefined && !isCommonWord(name);
}

const quote = /[“"‘'《「『]$/u;

/** A number in the title of a work: "Ten Bad Sentences". */
export function isInTitle(cased: string, start: number): boolean {
  const isInside = /[\p{L},] $/u.test(cased.slice(0, start));
  // "Of Nine Elms Securities": a numeral with a capital inside a sentence belongs to a name.
  if (isInside && /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}/u.test(cased.slice(start))) return true;
  return quote.test(cased.slice(0, start)) && /^\p{Lu}\p{Ll}+ \p{Lu}/u.test(cased.slice(start));
}

/** "70B" after a name. A sum of money or a count has a noun after it. */
export const isModelSize = (text: string): boolean => /^\d{1,3}(?:\.\d)?b$/iu.test(text.trim());

const versions = new RegExp(
  '(?:\\p{Lu}[\\p{L}\\p{N}-]* |\\b(?:to|version|with) )(\\d{1,2}(?:\\.\\d{1,2}){1,2})(?![\\d%])|' +
    '\\b(?:updated|upgraded|bumped|moved) to (?:version )?(\\d{1,2})(?![\\d.%])(?=\\W|$)',
  'gu',
);

/** Versions in the title; the same numbers in the text are not figures either. */
export function versionsIn(title: string): ReadonlySet<string> {
  return new Set([...title.matchAll(versions)].map(([, name, move]) => name ?? move ?? ''));
}
