// Extracts the index terms of items and queries for the archive search. An item that matches a
// query has all terms of the query, so the index finds it. `matchesParts` then removes false hits.
import { classOf, sign, symbol, word } from '../search/characters.ts';
import type { TextQuery } from '../search/query.ts';

/** Characters of an indexed word. Longer words are indexed by their beginning. */
const LENGTH_MAX = 64;
/** Symbols after a letter that belong to its term. */
const SYMBOLS_MAX = 8;
/** Maximum number of query parts in the index query. The exact comparison checks all parts. */
const PARTS_MAX = 12;

type TextRun = { readonly kind: 'word' | 'signs'; readonly text: string; readonly at: number };

/** Splits text into words and runs of signs. A sign is a character of a script without spaces. */
function* splitRuns(text: string): Generator<TextRun> {
  let kind: TextRun['kind'] | null = null;
  let from = 0;
  let position = 0;
  for (const character of text) {
    const next = runKindOf(character);
    if (next !== kind) {
      if (kind !== null) yield { kind, text: text.slice(from, position), at: from };
      kind = next;
      from = position;
    }
    position += character.length;
  }
  if (kind !== null) yield { kind, text: text.slice(from), at: from };
}

function runKindOf(character: string): TextRun['kind'] | null {
  const characterClass = classOf(character.codePointAt(0) ?? 0);
  if (characterClass === word) return 'word';
  return characterClass === sign ? 'signs' : null;
}

const prefixOf = (text: string) => text.slice(0, LENGTH_MAX).toWellFormed();

/** Words, pairs of neighbouring signs, and the last sign of each run; `text` is folded. */
export function findTerms(text: string): readonly string[] {
  const terms = new Set<string>();
  for (const run of splitRuns(text)) {
    if (run.kind === 'word') {
      terms.add(prefixOf(run.text));
      const term = termWithSymbols(text, run);
      if (term !== null) terms.add(term);
    } else for (const term of pairsOf(run.text, true)) terms.add(term);
  }
  return [...terms];
}

/** A single letter with the symbols that follow it, such as `c++`; null for any other run. */
function termWithSymbols(text: string, { text: letter, at }: TextRun): string | null {
  if (letter.length > 1) return null;
  let end = at + 1;
  while (end < text.length && end - at <= SYMBOLS_MAX && isSymbol(text, end)) end += 1;
  return end === at + 1 ? null : text.slice(at, end);
}

/** A symbol that takes two UTF-16 units ends the term. */
const isSymbol = (text: string, at: number) =>
  !/[\ud800-\udfff]/.test(text[at] ?? '') && classOf(text.charCodeAt(at)) === symbol;

function* pairsOf(run: string, hasLastSign: boolean): Generator<string> {
  const signs = [...run];
  for (let index = 0; index + 1 < signs.length; index += 1)
    yield `${signs[index]}${signs[index + 1]}`;
  if (hasLastSign || signs.length === 1) yield signs.at(-1) ?? '';
}

/** The tsquery of a search; null when no part has a term of the index. */
export function termsQuery({ parts }: TextQuery): string | null {
  const terms = new Set<string>();
  for (const { text, matchesInsideWords } of parts.slice(0, PARTS_MAX)) {
    for (const run of splitRuns(text)) {
      if (run.kind === 'signs') {
        const isSingleTerm = [...run.text].length === 1;
        for (const term of pairsOf(run.text, false)) terms.add(quoteTerm(term, isSingleTerm));
        // With `matchesInsideWords`, the first word may begin inside a word of the item. The index
        // cannot find it there.
      } else if (!(matchesInsideWords && run.at === 0)) {
        const term = run.text.length > 1 ? prefixOf(run.text) : termWithSymbols(text, run);
        if (term !== null) terms.add(quoteTerm(term, true));
      }
    }
  }
  return terms.size === 0 ? null : [...terms].join(' & ');
}

const quoteTerm = (term: string, isPrefix: boolean) =>
  `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${isPrefix ? ':*' : ''}`;
