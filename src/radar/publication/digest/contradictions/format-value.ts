// A claim's value in the digest's language. The report's own words are used when they fit the
// language; otherwise the value is formatted from the number.
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
  return language === 'en' ? groups.format(value) : trimmed(value);
}

const trimmed = (value: number) => String(Number(value.toPrecision(6)));

/** The words after a number in both languages, for the largest size of the unit first. */
const unitPhrases: Readonly<Record<string, readonly (readonly [number, string, string])[]>> = {
  W: [
    [1e9, ' GW', '吉瓦'],
    [1e6, ' MW', '兆瓦'],
    [1, ' W', '瓦'],
  ],
  bytes: [
    [1e12, ' TB', ' TB'],
    [1e9, ' GB', ' GB'],
  ],
  Wh: [
    [1e9, ' GWh', '吉瓦时'],
    [1e6, ' MWh', '兆瓦时'],
    [1e3, ' kWh', '千瓦时'],
  ],
  Hz: [[1e9, ' GHz', ' GHz']],
  percent: [[1, '%', '%']],
  points: [[1, ' percentage points', '个百分点']],
  score: [[1, ' points', '分']],
  times: [[1, ' times', '倍']],
  tokens: [[1, ' tokens', '词元']],
  rate: [[1, ' tokens a second', '词元每秒']],
  px: [[1, ' pixels', '像素']],
  m: [[1, ' metres', '米']],
  'm/s': [[1, ' metres a second', '米每秒']],
  'm²': [[1, ' square metres', '平方米']],
  kg: [[1, ' kilograms', '公斤']],
  in: [[1, ' inches', '英寸']],
  barrels: [[1, ' barrels', '桶']],
  litres: [[1, ' litres', '升']],
  magnitude: [[1, '', '级']],
  crown: [[1, ' crowns', '克朗']],
  peso: [[1, ' pesos', '比索']],
  '': [[1, '', '']],
};

function formatNumber(value: number, unit: string, language: PhraseLanguage): string {
  if (unit === 'duration') return formatDuration(value, language);
  if (/^[A-Z]{3}$/u.test(unit)) return formatMoney(value, unit, language);
  // Other units are written as symbols: "120 TOPS".
  const phrases = unitPhrases[unit] ?? [[1, ` ${unit}`, ` ${unit}`] as const];
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
