// Checks that every name of a text occurs in its source, in the same or a known equivalent
// spelling. Names are capitalised words inside a sentence, and ideographs that form no word.
import { hanCurrencies, isCurrencyIn } from './currencies.ts';
import { findHanNames, isHanNameInSource } from './han-names.ts';
import { foldName, type KnownNames } from './known-names.ts';
import { findLatinNames, isLatinNameInSource } from './latin-names.ts';
import { findNamesByPosition, isComparableWith } from './person-names.ts';
import { isCountryIn } from './places.ts';
import type { SourceText } from './source-text.ts';

/** Returns the names that the source does not support; empty when it supports all names. */
export function findUnsupportedNames(
  text: string,
  source: SourceText,
  knownNames: KnownNames,
): readonly string[] {
  const normalized = text.normalize('NFKC').replace(/[‘’]/gu, "'");
  const names = findKnownNames(normalized, knownNames);
  const unsupported = names.filter(
    ({ name }) =>
      !isAliasInSource(name, source, knownNames) && !isCountryIn(foldName(name), source.text),
  );
  // Known names are checked first, then the remaining words.
  let remaining = normalized;
  for (const { name, start } of names) {
    remaining =
      remaining.slice(0, start) + '·'.repeat(name.length) + remaining.slice(start + name.length);
  }
  return [
    ...new Set([
      ...unsupported.map(({ name }) => name),
      ...findUnsupportedLatin(remaining, source, knownNames),
      ...findHanNames(remaining.replace(hanCurrencies, '··'), knownNames).filter(
        (name) => !isHanNameInSource(name, source, knownNames),
      ),
      ...findNamesByPosition(remaining).filter(
        (name) => !isPositionedNameInSource(name, source, knownNames),
      ),
    ]),
  ];
}

/** Returns Latin words that the source has neither literally nor in ideographs. */
function findUnsupportedLatin(
  text: string,
  source: SourceText,
  knownNames: KnownNames,
): readonly string[] {
  const unsupported = findLatinNames(text, knownNames).filter((name) => {
    const isKnown =
      isLatinNameInSource(name, source, knownNames) || isCountryIn(foldName(name), source.text);
    return !isKnown && isCurrencyIn(foldName(name), source.text) !== true;
  });
  if (unsupported.length === 0 || !/\p{sc=Han}/u.test(source.text)) return unsupported;
  const unknownWords = new Set(unsupported);
  for (const [name] of text.matchAll(
    /\p{Lu}[\p{L}'-]*(?:\s(?:of |the |for )?\p{Lu}[\p{L}'-]*)*/gu,
  )) {
    const words = name.split(/[\s-]/u).filter((word) => /^\p{Lu}/u.test(word));
    if (!words.some((word) => unknownWords.has(word))) continue;
    for (const names of [
      words,
      ...words.map((_, index) => words.slice(index, index + 2)),
      ...words.map((word) => [word]),
    ]) {
      if (knownNames.otherScript.isNameInHanText(names, source.text))
        for (const word of names) unknownWords.delete(word);
    }
  }
  return [...unknownWords];
}

/**
 * True when the source has the complete name, an alias, or a name with the same sound. Also true
 * for a name that cannot be compared across scripts.
 */
function isPositionedNameInSource(
  name: string,
  source: SourceText,
  { otherScript, groups }: KnownNames,
): boolean {
  if (source.text.includes(name) || groups.has(name)) return true;
  if (!isComparableWith(name, source.text)) return true;
  return (
    otherScript.hasLatinSpelling(name, source.text) ||
    otherScript.hasSameSound(name, source.capitals)
  );
}

type NameOccurrence = { readonly name: string; readonly start: number };

/** Known spellings in a text, longest first, without overlap. */
function findKnownNames(text: string, { spellings }: KnownNames): readonly NameOccurrence[] {
  const occurrences: NameOccurrence[] = [];
  const matchedPositions = new Set<number>();
  const wordBreaks = wordBreaksOf(text);
  for (const name of spellings) {
    for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + 1)) {
      const end = start + name.length;
      if (
        matchedPositions.has(start) ||
        matchedPositions.has(end - 1) ||
        !isSeparateWord(text, start, end, wordBreaks)
      )
        continue;
      for (let at = start; at < end; at += 1) matchedPositions.add(at);
      occurrences.push({ name, start });
    }
  }
  return occurrences;
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

function wordBreaksOf(text: string): ReadonlySet<number> {
  return new Set([...segmenter.segment(text)].map(({ index }) => index).concat(text.length));
}

/** False for 高通 (Qualcomm) in 提高通过, and for "Meta" in "Metadata". */
function isSeparateWord(
  text: string,
  start: number,
  end: number,
  breaks: ReadonlySet<number>,
): boolean {
  if (/\p{sc=Han}/u.test(text.slice(start, end))) {
    return end - start > 2 || (breaks.has(start) && breaks.has(end));
  }
  const letter = /[\p{Script=Latin}\p{N}]/u;
  return !letter.test(text.charAt(start - 1)) && !letter.test(text.charAt(end));
}

function isAliasInSource(name: string, source: SourceText, { groups }: KnownNames): boolean {
  const spellings = groups.get(foldName(name)) ?? [foldName(name)];
  return spellings.some((spelling) => {
    if (/\p{sc=Han}/u.test(spelling)) return source.text.includes(spelling);
    return source.words.has(spelling) || isWholeWord(source.text, spelling);
  });
}

function isWholeWord(text: string, phrase: string): boolean {
  const letter = /[\p{Script=Latin}\p{N}]/u;
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const after = text.slice(at + phrase.length, at + phrase.length + 2);
    const isPlural = /^s(?![\p{Script=Latin}\p{N}])/u.test(after);
    if (!letter.test(text.charAt(at - 1)) && (isPlural || !letter.test(after.charAt(0))))
      return true;
  }
  return false;
}
