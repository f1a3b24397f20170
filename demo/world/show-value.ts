// Formats a figure by language and style of the publisher. The same value always means the same
// amount; only its notation changes.
import { unreachable } from '../../src/kernel/errors/assert.ts';
import type { Lang, Value } from './world-model.ts';

/** plain: newspapers and first parties. terse: blogs, forums, headlines. */
export type NumberStyle = 'plain' | 'terse';

export function showValue(value: Value, lang: Lang, notation: NumberStyle): string {
  switch (value.kind) {
    case 'text':
      return value[lang];
    case 'money':
      return lang === 'en' ? formatMoneyEn(value, notation) : formatMoneyZh(value);
    case 'percent':
      return lang === 'en' && notation === 'plain' ? `${value.value} percent` : `${value.value}%`;
    case 'count':
      return lang === 'en' ? formatCountEn(value.value) : formatCountZh(value.value);
    case 'tokens':
      return formatTokens(value.value, lang, notation);
    case 'minutes':
      return formatMinutes(value.value, lang);
    case 'megawatts':
      return formatUnit(value.value, lang, notation, ['megawatts', 'MW', '兆瓦']);
    case 'watts':
      return formatUnit(value.value, lang, notation, ['watts', 'W', '瓦']);
    case 'day':
      return lang === 'en' ? dayEn(value.value) : dayZh(value.value);
    default:
      return unreachable(value);
  }
}

function formatMoneyEn(value: Value & { kind: 'money' }, notation: NumberStyle): string {
  const number = formatAmountEn(value.value, notation);
  return value.currency === 'USD' ? `$${number}` : `${number} yuan`;
}

/** Small prices with a fraction have two decimals. */
function formatAmountEn(amount: number, notation: NumberStyle): string {
  const [million, billion] = notation === 'plain' ? [' million', ' billion'] : ['m', 'bn'];
  if (amount >= 1e9) return `${trimZeros(amount / 1e9)}${billion}`;
  if (amount >= 1e6) return `${trimZeros(amount / 1e6)}${million}`;
  return amount < 20 && !Number.isInteger(amount) ? amount.toFixed(2) : groupDigits(amount);
}

function formatMoneyZh(value: Value & { kind: 'money' }): string {
  return `${formatCountZh(value.value)}${value.currency === 'USD' ? '美元' : '元'}`;
}

function formatCountEn(value: number): string {
  if (value >= 1e9) return `${trimZeros(value / 1e9)} billion`;
  if (value >= 1e6) return `${trimZeros(value / 1e6)} million`;
  return groupDigits(value);
}

function formatCountZh(value: number): string {
  if (value >= 1e8) return `${trimZeros(value / 1e8)}亿`;
  if (value >= 1e4) return `${trimZeros(value / 1e4)}万`;
  return trimZeros(value);
}

function formatTokens(value: number, lang: Lang, notation: NumberStyle): string {
  if (lang === 'zh') return `${formatCountZh(value)}词元`;
  if (notation === 'terse')
    return value >= 1e6 ? `${trimZeros(value / 1e6)}M tokens` : `${value / 1000}k`;
  return `${formatCountEn(value)} tokens`;
}

function formatMinutes(value: number, lang: Lang): string {
  const hours = Math.floor(value / 60);
  const remainingMinutes = value % 60;
  if (lang === 'zh') {
    const hoursText = hours > 0 ? `${hours}小时` : '';
    return `${hoursText}${remainingMinutes > 0 ? `${remainingMinutes}分钟` : ''}`;
  }
  const parts = [];
  if (hours > 0) parts.push(hours === 1 ? 'an hour' : `${hours} hours`);
  if (remainingMinutes > 0) parts.push(`${remainingMinutes} minutes`);
  return parts.join(' and ');
}

function formatUnit(
  value: number,
  lang: Lang,
  notation: NumberStyle,
  names: readonly [string, string, string],
): string {
  if (lang === 'zh') return `${trimZeros(value)}${names[2]}`;
  return `${groupDigits(value)} ${notation === 'plain' ? names[0] : names[1]}`;
}

const monthNames = 'January February March April May June July August September October'
  .concat(' November December')
  .split(' ');
const weekdayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** `12 November` */
export function dayEn(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`;
}

/** `11月12日` */
export function dayZh(at: number): string {
  const date = new Date(at);
  return `${date.getUTCMonth() + 1}月${date.getUTCDate()}日`;
}

export function weekdayEn(at: number): string {
  return weekdayNames[new Date(at).getUTCDay()] ?? '';
}

// One shared formatter: a formatter per number took a quarter of the time of a large world.
const groups = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function groupDigits(value: number): string {
  return groups.format(value);
}

function trimZeros(value: number): string {
  return String(Math.round(value * 10000) / 10000);
}
