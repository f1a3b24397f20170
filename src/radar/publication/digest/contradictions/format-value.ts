// A claim's value in a given language. The report's own words are used when they fit the
// language; otherwise the value is formatted from the number.
import { z } from 'zod';
import file from '../../../../../editorial/digest/units.json' with { type: 'json' };
import type { Claim, PhraseLanguage } from '../digest.ts';

const boundWords = {
  exact: { en: '', zh: '' },
  about: { en: 'about ', zh: '约' },
  at_least: { en: 'over ', zh: '超过' },
  at_most: { en: 'up to ', zh: '最多' },
} as const;

export function formatValue({ value, quote, unit }: Claim, language: PhraseLanguage): string {
  if (value.kind === 'day') return days[language].format(Date.parse(value.day));
  // The words of "the deadline in days is 14" have the unit at another place.
  const isWithoutUnit = unit !== null && /^[\d.,]+$/u.test(quote);
  const isFit = !isWithoutUnit && !(language === 'zh' ? /\p{Ll}{3}/u : /\p{sc=Han}/u).test(quote);
  const valueText = isFit ? quote : formatNumber(value.middle, unit ?? '', language);
  return `${boundWords[value.bound][language]}${valueText}`;
}

const date = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
const days = {
  en: new Intl.DateTimeFormat('en-GB', date),
  zh: new Intl.DateTimeFormat('zh', date),
};

const large = {
  notation: 'compact',
  compactDisplay: 'long',
  maximumFractionDigits: 2,
} as const;
const numbers = {
  en: { large: new Intl.NumberFormat('en', large), least: 1e6 },
  zh: { large: new Intl.NumberFormat('zh', large), least: 1e4 },
};
const groups = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

function formatCount(value: number, language: PhraseLanguage): string {
  const { large, least } = numbers[language];
  if (value >= least) return large.format(value);
  return language === 'en' ? groups.format(value) : String(Number(value.toPrecision(6)));
}

/** The words after a number in both languages, for the largest size of the unit first. */
export const unitsFile = z.strictObject({
  units: z.record(z.string(), z.array(z.tuple([z.number(), z.string(), z.string()])).min(1)),
});
const { units } = unitsFile.parse(file);

function formatNumber(value: number, unit: string, language: PhraseLanguage): string {
  if (unit === 'duration') return formatDuration(value, language);
  if (/^[A-Z]{3}$/u.test(unit)) return formatMoney(value, unit, language);
  // Other units are written as symbols: "120 TOPS".
  const phrases = units[unit] ?? [[1, ` ${unit}`, ` ${unit}`] as const];
  const [size, en, zh] = phrases.find(([least]) => value >= least) ?? phrases.at(-1) ?? [1, '', ''];
  return `${formatCount(value / size, language)}${language === 'en' ? en : zh}`;
}

function formatMoney(value: number, currency: string, language: PhraseLanguage): string {
  const count = formatCount(value, language);
  if (currency === 'CNY') return language === 'en' ? `${count} yuan` : `${count}元`;
  const [part] = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: language === 'en' ? 'symbol' : 'name',
  })
    .formatToParts(value)
    .filter(({ type }) => type === 'currency');
  const sign = part?.value ?? currency;
  if (language === 'zh') return `${count}${sign}`;
  return `${sign}${sign === currency ? ' ' : ''}${count}`;
}

const durations = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** "3 days", or two units: "1 hour 5 minutes". */
function formatDuration(seconds: number, language: PhraseLanguage): string {
  const exact = durations.find(
    ([, size]) =>
      seconds >= 0.999 * size && Math.abs(seconds / size - Math.round(seconds / size)) < 1e-3,
  );
  const first = exact ?? durations.find(([, size]) => seconds >= size) ?? durations[5];
  const count = exact ? Math.round(seconds / first[1]) : Math.floor(seconds / first[1]);
  const next = durations[durations.indexOf(first) + 1];
  const rest = exact || next === undefined ? 0 : Math.round((seconds % first[1]) / next[1]);
  const format = (amount: number, unit: (typeof durations)[number][0]) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
      .format(amount)
      .replace('秒钟', '秒');
  const texts = [format(count, first[0]), ...(rest > 0 && next ? [format(rest, next[0])] : [])];
  return texts.join(language === 'en' ? ' ' : '');
}
