// The ground that a written text must stand on: the text of the source, looked at in every way that
// the guard asks for. Made once for an item, and asked for each of its fields.
import { type Figure, readFigures } from '../../publication/digest/read-figures.ts';
import { foldName } from './known-names.ts';
import { readNamedTimes } from './read-times.ts';

export type Ground = {
  /** Folded (`foldName`). */
  readonly text: string;
  /** Without anything but letters and digits. */
  readonly squashed: string;
  /** Words of an alphabet and numbers, lower case, possessives off. */
  readonly words: ReadonlySet<string>;
  readonly figures: readonly Figure[];
  /** Keys of `readNamedTimes`; with their year as well where one is named (`month:03 2027`). */
  readonly times: ReadonlySet<string>;
  readonly at: number;
};

/** More is not read: what a model was not shown, it cannot have from there. */
const READ_MAX = 60_000;

/** `at`: when the source appeared, epoch milliseconds; its year is known without being named. */
export function openGround(parts: readonly string[], at: number): Ground {
  const text = foldName(parts.join('\n').slice(0, READ_MAX));
  const sentences = parts
    .join('\n')
    .slice(0, READ_MAX)
    .split(/\n|(?<=[.!?。！？])\s/u)
    .map(foldName);
  return {
    text,
    squashed: squash(text),
    words: new Set(wordsOf(text)),
    figures: sentences.flatMap((sentence) => readFigures(sentence)),
    times: new Set(
      readNamedTimes(text).flatMap(({ key, year }) =>
        year === null ? [key] : [key, `${key} ${year}`],
      ),
    ),
    at,
  };
}

export function squash(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function wordsOf(text: string): readonly string[] {
  const whole = text.match(/[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{M}\p{N}'&.+-]*/gu) ?? [];
  return whole.flatMap((word) => {
    const plain = bareWord(word);
    return [plain, ...plain.split(/[-.'&+]/u)].filter((part) => part !== '');
  });
}

/** Without a possessive and what punctuation is left at its end. */
export function bareWord(word: string): string {
  return word.replace(/(?:'s|s')$/u, '').replace(/[.'&+-]+$/u, '');
}
