// Checks that every name of a text occurs in its source, in the same or a known equivalent
// spelling. Names are capitalised words inside a sentence, and ideographs that form no word.
import { hanCurrencies, isCurrencyIn } from './currencies.ts';
import { hanNames, isGroundedHan } from './han-names.ts';
import { foldName, type KnownNames } from './known-names.ts';
import { isGroundedWord, latinNames } from './latin-names.ts';
import { isComparable, namesByPosition } from './person-names.ts';
import { isPlaceIn } from './places.ts';
import type { SourceText } from './source-text.ts';

/** Names without support, as written; empty when all are supported. */
export function unsupportedNames(
  text: string,
  source: SourceText,
  known: KnownNames,
): readonly string[] {
  const normalized = text.normalize('NFKC').replace(/[‘’]/gu, "'");
  const names = knownNamesIn(normalized, known);
  const unsupported = names.filter(
    ({ name }) => !isGroundedAlias(name, source, known) && !isPlaceIn(foldName(name), source.text),
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
      ...unsupportedLatin(remaining, source, known),
      ...hanNames(remaining.replace(hanCurrencies, '··'), known).filter(
        (name) => !isGroundedHan(name, source, known),
      ),
      ...namesByPosition(remaining).filter((name) => !isPlacedIn(name, source, known)),
    ]),
  ];
}

/** Latin words that occur neither literally nor, together, in the other script. */
function unsupportedLatin(text: string, source: SourceText, known: KnownNames): readonly string[] {
  const unsupported = latinNames(text, known).filter((name) => {
    const isKnown = isGroundedWord(name, source, known) || isPlaceIn(foldName(name), source.text);
    return !isKnown && isCurrencyIn(foldName(name), source.text) !== true;
  });
  if (unsupported.length === 0 || !/\p{sc=Han}/u.test(source.text)) return unsupported;
  const unknown = new Set(unsupported);
  for (const [name] of text.matchAll(
    /\p{Lu}[\p{L}'-]*(?:\s(?:of |the |for )?\p{Lu}[\p{L}'-]*)*/gu,
  )) {
    const words = name.split(/[\s-]/u).filter((word) => /^\p{Lu}/u.test(word));
    if (!words.some((word) => unknown.has(word))) continue;
    for (const names of [
      words,
      ...words.map((_, index) => words.slice(index, index + 2)),
      ...words.map((word) => [word]),
    ]) {
      if (known.otherScript.isHanIn(names, source.text))
        for (const word of names) unknown.delete(word);
    }
  }
  return [...unknown];
}

/** A name confirmed by its position must occur whole or by its sound. */
function isPlacedIn(
  name: string,
  source: SourceText,
  { otherScript, groups }: KnownNames,
): boolean {
  if (source.text.includes(name) || groups.has(name)) return true;
  if (!isComparable(name, source.text)) return true;
  return (
    otherScript.hasLatinSpelling(name, source.text) ||
    otherScript.hasSameSound(name, source.capitals)
  );
}

type NameOccurrence = { readonly name: string; readonly start: number };

/** Known spellings in a text, longest first, without overlap. */
function knownNamesIn(text: string, { spellings }: KnownNames): readonly NameOccurrence[] {
  const occurrences: NameOccurrence[] = [];
  const matched = new Set<number>();
  const breaks = hanBreaks(text);
  for (const name of spellings) {
    for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + 1)) {
      const end = start + name.length;
      if (matched.has(start) || matched.has(end - 1) || !isSeparateWord(text, start, end, breaks))
        continue;
      for (let at = start; at < end; at += 1) matched.add(at);
      occurrences.push({ name, start });
    }
  }
  return occurrences;
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

function hanBreaks(text: string): ReadonlySet<number> {
  return new Set([...segmenter.segment(text)].map(({ index }) => index).concat(text.length));
}

/** 高通 in 提高通过 is not the company, and "Metadata" does not contain "Meta". */
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

function isGroundedAlias(name: string, source: SourceText, { groups }: KnownNames): boolean {
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
