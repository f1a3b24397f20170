// Shares without a percent sign: "one in twelve", "a fifth", 五分之一, 一成二, "71 to 29 per cent".
// Each is converted to percent.

export type Share = { readonly percent: number; readonly start: number; readonly end: number };

const counts = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const parts = 'third quarter fifth sixth seventh eighth ninth tenth'.split(' ');
const han = '一二三四五六七八九十';

const decimal = '(\\d+(?:\\.\\d+)?)';

const latinNumber = (match: string): number => Number(match) || counts.indexOf(match) + 1;
const hanNumber = (match: string): number =>
  Number(match) || han.indexOf(match.replace('两', '二')) + 1;

type ShareReader = readonly [
  pattern: RegExp,
  percents: (groups: readonly string[]) => readonly number[],
];

const readings: readonly ShareReader[] = [
  [
    /\b(\d+|one|two|three) (?:[a-z]+ ){0,2}(?:in|out of) (?:every )?(\d+|[a-z]+)\b/gu,
    ([part = '', total = '']) => [(latinNumber(part) / latinNumber(total)) * 100],
  ],
  [
    /\b(an?|one|two|three|four)[ -](third|quarter|fifth|sixth|seventh|eighth|ninth|tenth)s?\b/gu,
    ([part = '', total = '']) => {
      const many = part.startsWith('a') ? 1 : latinNumber(part);
      return [(many / (parts.indexOf(total) + 3)) * 100];
    },
  ],
  [
    /(\d+|[二三四五六七八九十])分之(\d+|[一二两三四五六七八九])/gu,
    ([total = '', part = '']) => [(hanNumber(part) / hanNumber(total)) * 100],
  ],
  [
    /([一二两三四五六七八九])成([一二三四五六七八九半])?(?![功为立本交员])/gu,
    ([tens = '', ones = '']) => {
      const units = ones === '' ? 0 : ones === '半' ? 5 : hanNumber(ones);
      return [hanNumber(tens) * 10 + units];
    },
  ],
  [
    new RegExp(
      `${decimal}\\s?(?:to|and|or|from|against|-|至|到|和|比)\\s?${decimal}\\s?(?:%|per ?cent)`,
      'gu',
    ),
    (both) => both.map(Number),
  ],
];

/** `folded` is folded text. */
export function sharesIn(folded: string): readonly Share[] {
  return readings.flatMap(([pattern, percents]) =>
    [...folded.matchAll(pattern)].flatMap(({ 0: match, index: start, ...groups }) =>
      percents(Array.from({ length: 2 }, (_, index) => groups[index + 1] ?? ''))
        .filter((percent) => percent > 0 && percent <= 100)
        .map((percent) => ({ percent, start, end: start + match.length })),
    ),
  );
}
