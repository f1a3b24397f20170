// A claim's value in the digest's language: as the report says it when that is the language, else
// written anew from what it means.
import type { Claim } from './digest.ts';

export type Tongue = 'en' | 'zh';

/** `said` serves when it reads well in `tongue`. */
export function showValue(claim: Claim, tongue: Tongue): string {
  const isHan = /\p{sc=Han}/u.test(claim.said);
  const isWords = /\p{Ll}{3}/u.test(claim.said);
  const match = /^([~≥≤]?)(-?[\d.e+-]+)\|/u.exec(claim.value);
  const bound = match?.[1] ?? '';
  if (tongue === 'zh' ? !isWords : !isHan) return `${boundIn(bound, tongue)}${claim.said}`;
  if (match === null) return showDay(claim, tongue);
  return `${boundIn(bound, tongue)}${written(Number(match[2]), claim.unit, tongue)}`;
}

function boundIn(bound: string, tongue: Tongue): string {
  const words = tongue === 'en' ? ['about ', 'over ', 'up to '] : ['约', '超过', '最多'];
  return words['~≥≤'.indexOf(bound || ' ')] ?? '';
}

const currencies: Readonly<Record<string, readonly [string, string]>> = {
  ...{ USD: ['$', '美元'], CNY: ['¥', '元'], EUR: ['€', '欧元'], GBP: ['£', '英镑'] },
  ...{ JPY: ['¥', '日元'], KRW: ['₩', '韩元'], HKD: ['HK$', '港元'], INR: ['₹', '卢比'] },
};

function written(value: number, unit: string | null, tongue: Tongue): string {
  const isEn = tongue === 'en';
  const money = currencies[unit ?? ''];
  if (unit === 'CNY' && isEn) return `${large(value, tongue)} yuan`;
  if (money !== undefined) {
    return isEn ? `${money[0]}${large(value, tongue)}` : `${large(value, tongue)}${money[1]}`;
  }
  switch (unit) {
    case 'percent':
      return `${trimmed(value)}%`;
    case 'points':
      return isEn ? `${trimmed(value)} percentage points` : `${trimmed(value)}个百分点`;
    case 'times':
      return isEn ? `${trimmed(value)} times` : `${trimmed(value)}倍`;
    case 'duration':
      return duration(value, isEn);
    case 'W':
      return watts(value, isEn);
    case 'tokens':
      return isEn ? `${large(value, tongue)} tokens` : `${large(value, tongue)}词元`;
    case 'bytes':
      return bytes(value);
    case 'score':
      return isEn ? `${trimmed(value)} points` : `${trimmed(value)}分`;
    default:
      return unit === null ? large(value, tongue) : `${large(value, tongue)} ${unit}`;
  }
}

const trimmed = (value: number) => String(Number(value.toPrecision(6)));
const groups = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function large(value: number, tongue: Tongue): string {
  const steps: readonly (readonly [number, string])[] =
    tongue === 'en'
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
  if (step === undefined) return tongue === 'en' ? groups.format(value) : trimmed(value);
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
  const whole = parts.find(([size]) => seconds >= size * 0.999 && isWhole(seconds / size));
  const first = whole ?? parts.find(([size]) => seconds >= size) ?? parts[5];
  if (first === undefined) return trimmed(seconds);
  const count = Math.floor(seconds / first[0] + 0.001);
  const next = parts[parts.indexOf(first) + 1];
  const rest = whole === undefined && next ? Math.round((seconds % first[0]) / next[0]) : 0;
  const say = (n: number, [, en, zh]: readonly [number, string, string]) =>
    isEn ? `${n} ${en}${n === 1 ? '' : 's'}` : `${n}${zh}`;
  if (count === 0) return isEn ? `${trimmed(seconds)} seconds` : `${trimmed(seconds)}秒`;
  return rest === 0 || next === undefined
    ? say(count, first)
    : `${say(count, first)}${isEn ? ' ' : ''}${say(rest, next)}`;
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 0.001;

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

function showDay(claim: Claim, tongue: Tongue): string {
  const [, month = '', day = ''] = /^\d{4}-(\d\d)-(\d\d)$/u.exec(claim.value) ?? [];
  if (month === '') return claim.said;
  return tongue === 'en'
    ? `${Number(day)} ${monthNames[Number(month) - 1]}`
    : `${Number(month)}月${Number(day)}日`;
}
