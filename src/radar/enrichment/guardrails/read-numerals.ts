// Converts Chinese numerals to digits: 一万二千 is 12000, 四百三十万 is 4300000, 二月 is 2月. Only
// unambiguous numbers: 万一, 千万 and 百度 stay words.

const digits: Readonly<Record<string, number>> = {
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
const small: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };
const large: Readonly<Record<string, number>> = { 万: 10_000, 亿: 100_000_000 };

const month = /(?<![\p{sc=Han}\d])(十[一二]?|[一二三四五六七八九])月/gu;
const monthInText = /(?<=[年于在从至到自年前明去今])(十[一二]?|[一二三四五六七八九])月/gu;
const numerals = '零〇一二两三四五六七八九十百千万亿';
const numeral = new RegExp(
  `(?<![第周期${numerals}])[一二两三四五六七八九十][${numerals}]{1,11}(?![成分几多来点])`,
  'gu',
);

/** The same text with these numerals in digits. */
export function withDigits(text: string): string {
  if (!/[一二两三四五六七八九十]/u.test(text)) return text;
  const toMonth = (_: string, numeralText: string) => `${numberOf(numeralText) ?? numeralText}月`;
  return text
    .replace(month, toMonth)
    .replace(monthInText, toMonth)
    .replace(numeral, (numeralText) => {
      const value = /[十百千万亿]/u.test(numeralText) ? numberOf(numeralText) : null;
      return value === null ? numeralText : String(value);
    });
}

/** Null when it is not a number, or an abbreviated one (一万三). */
function numberOf(numeralText: string): number | null {
  let [integerPart, part, digit] = [0, 0, null as number | null];
  let last = Number.POSITIVE_INFINITY;
  let hasZero = false;
  for (const char of numeralText) {
    const [one, unit, scale] = [digits[char], small[char], large[char]];
    if (one !== undefined) {
      if (digit !== null && digit !== 0) return null;
      hasZero = hasZero || one === 0;
      digit = one;
    } else if (unit !== undefined) {
      if (unit >= last || (digit === null && unit !== 10)) return null;
      part += (digit ?? 1) * unit;
      [last, digit] = [unit, null];
    } else if (scale !== undefined) {
      integerPart = (integerPart + part + (digit ?? 0)) * scale;
      [part, digit, last] = [0, null, Number.POSITIVE_INFINITY];
    }
  }
  // 三百二 is 320, not 302.
  if (digit !== null && last > 10 && !hasZero && (part > 0 || integerPart > 0)) return null;
  return integerPart + part + (digit ?? 0);
}
