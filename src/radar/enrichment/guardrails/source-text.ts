// Computes the source's text in every form that the guardrails compare: words, capitals, figures
// and times. It is computed once per item and used for each field.
import { type Figure, readFigures } from '../../language/read-figures.ts';
import { foldName } from './known-names.ts';
import { withDigits } from './read-numerals.ts';
import { readShares } from './read-shares.ts';
import { readNamedTimes } from './read-times.ts';

export type SourceText = {
  /** Folded (`foldName`). */
  readonly text: string;
  /** Letters and digits only. */
  readonly joinedText: string;
  /** Latin words and numbers in lower case, without possessives. */
  readonly words: ReadonlySet<string>;
  /** Capitalised words in their own spelling, the possible names. */
  readonly capitals: readonly string[];
  readonly figures: readonly Figure[];
  /** Keys of `readNamedTimes`, also with the year where the text has one (`month:03 2027`). */
  readonly times: ReadonlySet<string>;
  /** Publication time, epoch milliseconds. */
  readonly at: number;
};

/** Maximum number of characters. The model receives less text. */
const READ_MAX = 60_000;

/** `at` is the publication time, epoch milliseconds. Its year counts as known. */
export function openSourceText(parts: readonly string[], at: number): SourceText {
  const text = foldName(parts.join('\n').slice(0, READ_MAX));
  const sentences = parts
    .join('\n')
    .slice(0, READ_MAX)
    .split(/\n|(?<=[.!?。！？])\s/u)
    .map(foldName);
  return {
    text,
    joinedText: lettersAndDigits(text),
    words: new Set(wordsOf(text)),
    capitals: capitalsOf(parts),
    figures: sentences.flatMap((sentence) => [
      ...readFigures(sentence),
      ...readFigures(withDigits(sentence)),
      ...readShares(sentence).map(percentFigure),
    ]),
    times: new Set(
      readNamedTimes(withDigits(text)).flatMap(({ key, year }) =>
        year === null ? [key] : [key, `${key} ${year}`],
      ),
    ),
    at,
  };
}

const CAPITALS_MAX = 400;

function capitalsOf(parts: readonly string[]): readonly string[] {
  const capitalizedWords =
    parts
      .join('\n')
      .slice(0, READ_MAX)
      .match(/(?<!\p{L})\p{Lu}\p{L}{2,}/gu) ?? [];
  return [...new Set(capitalizedWords)].slice(0, CAPITALS_MAX);
}

const percentFigure = ({ percent: value }: { readonly percent: number }): Figure => ({
  kind: 'percent',
  unit: null,
  value,
  low: value,
  high: value,
  start: 0,
  end: 0,
  bound: '',
});

export function lettersAndDigits(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function wordsOf(text: string): readonly string[] {
  const latinTokens =
    text.match(/[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{M}\p{N}'&.+-]*/gu) ?? [];
  return latinTokens.flatMap((word) => {
    const stem = stripWord(word);
    return [stem, ...stem.split(/[-.'&+]/u)].filter((part) => part !== '');
  });
}

/** Removes a possessive ending and final punctuation. */
export function stripWord(word: string): string {
  return word.replace(/(?:'s|s')$/u, '').replace(/[.'&+-]+$/u, '');
}
