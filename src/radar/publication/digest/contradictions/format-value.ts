// A claim's value in the digest's language. The report's own words are used when they fit the
// language; otherwise the value is formatted from the number.
import type { Claim } from '../digest.ts';
import { type PhraseLanguage, unitPhrases } from './phrases.ts';

const boundWords = {
  exact: { en: '', zh: '' },
  about: { en: 'about ', zh: '约' },
  at_least: { en: 'over ', zh: '超过' },
  at_most: { en: 'up to ', zh: '最多' },
} as const;

export function formatValue(claim: Claim, language: PhraseLanguage): string {
  const { value, quote, unit } = claim;
  if (value.kind === 'day') return formatDay(value.day, language);
  const isHan = /\p{sc=Han}/u.test(quote);
  const isWords = /\p{Ll}{3}/u.test(quote);
  const isFit = language === 'zh' ? !isWords : !isHan;
  const written = isFit ? quote : formatNumber(value.middle, unit, language);
  return `${boundWords[value.bound][language]}${written}`;
}

const currencies: Readonly<Record<string, readonly [string, string]>> = {
  USD: ['$', '美元'],
  CNY: ['¥', '元'],
  EUR: ['€', '欧元'],
  GBP: ['£', '英镑'],
  JPY: ['¥', '日元'],
  KRW: ['₩', '韩元'],
  HKD: ['HK$', '港元'],
  INR: ['₹', '卢比'],
};

function formatNumber(value: number, unit: string | null, language: PhraseLanguage): string {
  const isEn = language === 'en';
  const money = currencies[unit ?? ''];
  if (unit === 'CNY' && isEn) return `${formatLarge(value, language)} yuan`;
  if (money !== undefined) {
    return isEn
      ? `${money[0]}${formatLarge(value, language)}`
      : `${formatLarge(value, language)}${money[1]}`;
  }
  switch (unit) {
    case 'percent':
      return `${trimmed(value)}%`;
    case 'duration':
      return duration(value, isEn);
    case 'W':
      return watts(value, isEn);
    case 'bytes':
      return bytes(value);
    default: {
      const phrase = unit === null ? '' : (unitPhrases[unit]?.[language] ?? ` ${unit}`);
      return `${formatLarge(value, language)}${phrase}`;
    }
  }
}

const trimmed = (value: number) => String(Number(value.toPrecision(6)));
const groups = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function formatLarge(value: number, language: PhraseLanguage): string {
  const steps: readonly (readonly [number, string])[] =
    language === 'en'
      ? [
          [1e12, ' trillion'],
          [1e9, ' billion'],
          [1e6, ' million'],
        ]
      : [
          [1e12, '万亿'],
          [1e8, '亿'],
          [1e4, '万'],
        ];
  const step = steps.find(([size]) => value >= size);
  if (step === undefined) return language === 'en' ? groups.format(value) : trimmed(value);
  return `${trimmed(value / step[0])}${step[1]}`;
}

function duration(seconds: number, isEn: boolean): string {
  const parts: readonly (readonly [number, string, string])[] = [
    [31_557_600, 'year', '年'],
    [2_629_800, 'month', '个月'],
    [86_400, 'day', '天'],
    [3600, 'hour', '小时'],
    [60, 'minute', '分钟'],
    [1, 'second', '秒'],
  ];
  const exactUnit = parts.find(([size]) => seconds >= size * 0.999 && isInteger(seconds / size));
  const first = exactUnit ?? parts.find(([size]) => seconds >= size) ?? parts[5];
  if (first === undefined) return trimmed(seconds);
  const count = Math.floor(seconds / first[0] + 0.001);
  const next = parts[parts.indexOf(first) + 1];
  const remainder =
    exactUnit === undefined && next ? Math.round((seconds % first[0]) / next[0]) : 0;
  const formatUnit = (n: number, [, en, zh]: readonly [number, string, string]) =>
    isEn ? `${n} ${en}${n === 1 ? '' : 's'}` : `${n}${zh}`;
  if (count === 0) return isEn ? `${trimmed(seconds)} seconds` : `${trimmed(seconds)}秒`;
  return remainder === 0 || next === undefined
    ? formatUnit(count, first)
    : `${formatUnit(count, first)}${isEn ? ' ' : ''}${formatUnit(remainder, next)}`;
}

const isInteger = (value: number) => Math.abs(value - Math.round(value)) < 0.001;

function watts(value: number, isEn: boolean): string {
  if (value >= 1e9) return isEn ? `${trimmed(value / 1e9)} GW` : `${trimmed(value / 1e9)}吉瓦`;
  if (value >= 1e6) return isEn ? `${trimmed(value / 1e6)} MW` : `${trimmed(value / 1e6)}兆瓦`;
  return isEn ? `${trimmed(value)} W` : `${trimmed(value)}瓦`;
}

function bytes(value: number): string {
  return value >= 1e12 ? `${trimmed(value / 1e12)} TB` : `${trimmed(value / 1e9)} GB`;
}

const monthNames = 'January February March April May June July August September October'
  .concat(' November December')
  .split(' ');

function formatDay(iso: string, language: PhraseLanguage): string {
  const [, month = 1, day = 1] = iso.split('-').map(Number);
  return language === 'en' ? `${day} ${monthNames[month - 1]}` : `${month}月${day}日`;
}
