// Converts Chinese numerals to digits: 一万二千 is 12000, 四百三十万 is 4300000, 二月 is 2月. Words
// that contain such characters stay: 万一, 千万, 百度.

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
const smallUnits: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };
const largeUnits: Readonly<Record<string, number>> = { 万: 10_000, 亿: 100_000_000 };

const monthPattern = /(?<![\p{sc=Han}\d])(十[一二]?|[一二三四五六七八九])月/gu;
const monthInText = /(?<=[年于在从至到自年前明去今])(十[一二]?|[一二三四五六七八九])月/gu;
const numerals = '零〇一二两三四五六七八九十百千万亿';
const numeralPattern = new RegExp(
  `(?<![第周期${numerals}])[一二两三四五六七八九十][${numerals}]{1,11}(?![成分几多来点])`,
  'gu',
);

/** Returns the text with digits instead of these numerals. */
export function withDigits(text: string): string {
  if (!/[一二两三四五六七八九十]/u.test(text)) return text;
  const toMonth = (_: string, numeralText: string) => `${numberOf(numeralText) ?? numeralText}月`;
  return text
    .replace(monthPattern, toMonth)
    .replace(monthInText, toMonth)
    .replace(numeralPattern, (numeralText) => {
      const value = /[十百千万亿]/u.test(numeralText) ? numberOf(numeralText) : null;
      return value === null ? numeralText : String(value);
    });
}

/** The value of a numeral; null for other text and for abbreviated numerals (一万三). */
function numberOf(numeralText: string): number | null {
  let [total, sectionValue, digit] = [0, 0, null as number | null];
  let lastUnit = Number.POSITIVE_INFINITY;
  let hasZero = false;
  for (const char of numeralText) {
    const [digitValue, unit, scale] = [digits[char], smallUnits[char], largeUnits[char]];
    if (digitValue !== undefined) {
      if (digit !== null && digit !== 0) return null;
      hasZero = hasZero || digitValue === 0;
      digit = digitValue;
    } else if (unit !== undefined) {
      if (unit >= lastUnit || (digit === null && unit !== 10)) return null;
      sectionValue += (digit ?? 1) * unit;
      [lastUnit, digit] = [unit, null];
    } else if (scale !== undefined) {
      total = (total + sectionValue + (digit ?? 0)) * scale;
      [sectionValue, digit, lastUnit] = [0, null, Number.POSITIVE_INFINITY];
    }
  }
  // 三百二 means 320, not 302.
  if (digit !== null && lastUnit > 10 && !hasZero && (sectionValue > 0 || total > 0)) return null;
  return total + sectionValue + (digit ?? 0);
}
