// The ground that a written text must stand on: the text of the source, looked at in every way that
// the guard asks for. Made once for an item, and asked for each of its fields.
import { type Figure, readFigures } from '../../language/read-figures.ts';
import { foldName } from './known-names.ts';
import { withDigits } from './read-numerals.ts';
import { sharesIn } from './read-shares.ts';
import { readNamedTimes } from './read-times.ts';

export type Ground = {
  /** Folded (`foldName`). */
  readonly text: string;
  /** Without anything but letters and digits. */
  readonly squashed: string;
  /** Words of an alphabet and numbers, lower case, possessives off. */
  readonly words: ReadonlySet<string>;
  /** Words with a capital, in their own spelling: what could be names. */
  readonly capitals: readonly string[];
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
    capitals: capitalsOf(parts),
    figures: sentences.flatMap((sentence) => [
      ...readFigures(sentence),
      ...readFigures(withDigits(sentence)),
      ...sharesIn(sentence).map(percentFigure),
    ]),
    times: new Set(
      readNamedTimes(withDigits(text)).flatMap(({ key, year }) =>
        year === null ? [key] : [key, `${key} ${year}`],
      ),
    ),
    at,
  };
}

const MOST_CAPITALS = 400;

function capitalsOf(parts: readonly string[]): readonly string[] {
  const all =
    parts
      .join('\n')
      .slice(0, READ_MAX)
      .match(/(?<!\p{L})\p{Lu}\p{L}{2,}/gu) ?? [];
  return [...new Set(all)].slice(0, MOST_CAPITALS);
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
