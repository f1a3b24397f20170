// Reads shares without a percent sign: "one in twelve", "a fifth", 五分之一, 一成二, "71 to 29 per
// cent". Each share is converted to percent.

export type Share = { readonly percent: number; readonly start: number; readonly end: number };

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const fractionWords = 'third quarter fifth sixth seventh eighth ninth tenth'.split(' ');
const hanDigits = '一二三四五六七八九十';

const decimal = '(\\d+(?:\\.\\d+)?)';

const parseLatinNumber = (match: string): number => Number(match) || numberWords.indexOf(match) + 1;
const parseHanNumber = (match: string): number =>
  Number(match) || hanDigits.indexOf(match.replace('两', '二')) + 1;

type ShareReader = readonly [
  pattern: RegExp,
  percents: (groups: readonly string[]) => readonly number[],
];

const shareReaders: readonly ShareReader[] = [
  [
    /\b(\d+|one|two|three) (?:[a-z]+ ){0,2}(?:in|out of) (?:every )?(\d+|[a-z]+)\b/gu,
    ([part = '', total = '']) => [(parseLatinNumber(part) / parseLatinNumber(total)) * 100],
  ],
  [
    /\b(an?|one|two|three|four)[ -](third|quarter|fifth|sixth|seventh|eighth|ninth|tenth)s?\b/gu,
    ([part = '', total = '']) => {
      const numerator = part.startsWith('a') ? 1 : parseLatinNumber(part);
      return [(numerator / (fractionWords.indexOf(total) + 3)) * 100];
    },
  ],
  [
    /(\d+|[二三四五六七八九十])分之(\d+|[一二两三四五六七八九])/gu,
    ([total = '', part = '']) => [(parseHanNumber(part) / parseHanNumber(total)) * 100],
  ],
  [
    /([一二两三四五六七八九])成([一二三四五六七八九半])?(?![功为立本交员])/gu,
    ([tens = '', ones = '']) => {
      const units = ones === '' ? 0 : ones === '半' ? 5 : parseHanNumber(ones);
      return [parseHanNumber(tens) * 10 + units];
    },
  ],
  [
    new RegExp(
      `${decimal}\\s?(?:to|and|or|from|against|-|至|到|和|比)\\s?${decimal}\\s?(?:%|per ?cent)`,
      'gu',
    ),
    (numbers) => numbers.map(Number),
  ],
];

/** `folded` is folded text. */
export function readShares(folded: string): readonly Share[] {
  return shareReaders.flatMap(([pattern, percents]) =>
    [...folded.matchAll(pattern)].flatMap(({ 0: match, index: start, ...groups }) =>
      percents(Array.from({ length: 2 }, (_, index) => groups[index + 1] ?? ''))
        .filter((percent) => percent > 0 && percent <= 100)
        .map((percent) => ({ percent, start, end: start + match.length })),
    ),
  );
}
