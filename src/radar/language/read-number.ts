// Reads numbers in words: Han numerals with their places (三千二百, 两, 一点五) and English ones
// (three, half, a dozen).

const hanDigits: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const hanPlaces: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

/** Characters of a Han numeral without 万 and 亿. */
export const hanNumeral = '[零〇一二两三四五六七八九十百千]+(?:点[零〇一二三四五六七八九]+)?|半';

/** Null for text that is not a number, such as 十百. */
export function readHanNumber(text: string): number | null {
  if (text === '半') return 0.5;
  const [integerPart = '', fraction] = text.split('点');
  if (/^[零〇一二三四五六七八九]{2,}$/u.test(integerPart)) return Number(digitsOf(integerPart));
  let sum = 0;
  let digit = 0;
  let previousPlace = Number.POSITIVE_INFINITY;
  for (const char of integerPart) {
    const placeValue = hanPlaces[char];
    if (placeValue === undefined) {
      digit = hanDigits[char] ?? 0;
      continue;
    }
    if (placeValue >= previousPlace) return null;
    sum += (digit === 0 ? 1 : digit) * placeValue;
    previousPlace = placeValue;
    digit = 0;
  }
  // 三千五 is 3,500: the last digit belongs to the next lower place.
  const isAbbreviated =
    previousPlace > 10 && previousPlace < Number.POSITIVE_INFINITY && !integerPart.includes('零');
  sum += digit * (isAbbreviated ? previousPlace / 10 : 1);
  return fraction === undefined ? sum : Number(`${sum}.${digitsOf(fraction)}`);
}

function digitsOf(text: string): string {
  return [...text].map((char) => String(hanDigits[char] ?? 0)).join('');
}

const oneWords = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
  .concat(' fifteen sixteen seventeen eighteen nineteen')
  .split(' ');
const tenWords = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const otherWords: Readonly<Record<string, number>> = {
  half: 0.5,
  'half a': 0.5,
  'half an': 0.5,
  a: 1,
  an: 1,
  'a dozen': 12,
  dozen: 12,
  'a quarter of a': 0.25,
  couple: 2,
  'a couple of': 2,
};

const tensWithOnes = `(?:${tenWords.join('|')})(?:[- ](?:${oneWords.slice(0, 9).join('|')}))?`;
const englishWord = `(?:${tensWithOnes}|${oneWords.toReversed().join('|')})`;

/** English number words that can replace digits. */
export const englishNumeral =
  `(?:${englishWord} dozen|a dozen|a quarter of a|half an?|half|` +
  `(?:${englishWord})(?: and (?:a half|a quarter|three quarters)|` +
  ` hundred(?: and)?(?: ${englishWord})?)?|an?(?: hundred)?)`;

const fractionWords: Readonly<Record<string, number>> = {
  'a half': 0.5,
  'a quarter': 0.25,
  'three quarters': 0.75,
};

/** `text` is in lower case. Null when it is not a number. */
export function readEnglishNumber(text: string): number | null {
  const value = otherWords[text];
  if (value !== undefined) return value;
  const dozens = /^(.+) dozen$/u.exec(text)?.[1];
  if (dozens !== undefined) return readSmallNumber(dozens) * 12;
  const mixed = /^(.+) and (a half|a quarter|three quarters)$/u.exec(text);
  if (mixed !== null) return readSmallNumber(mixed[1] ?? '') + (fractionWords[mixed[2] ?? ''] ?? 0);
  const match = /^(.+?) hundred(?: and)?(?: (.+))?$/u.exec(text);
  if (match !== null) {
    const head = match[1] === 'a' || match[1] === 'an' ? 1 : readSmallNumber(match[1] ?? '');
    return head * 100 + (match[2] === undefined ? 0 : readSmallNumber(match[2]));
  }
  const smallValue = readSmallNumber(text);
  return smallValue === 0 ? null : smallValue;
}

function readSmallNumber(text: string): number {
  return text.split(/[- ]/u).reduce((sum, word) => {
    const tenIndex = tenWords.indexOf(word);
    return sum + (tenIndex >= 0 ? (tenIndex + 2) * 10 : oneWords.indexOf(word) + 1);
  }, 0);
}
