// Figures that are no plain numbers: shares ("two in three", 三分之二), places in an order ("the
// third recall", 第五名) and scores of a game (3-1, 3比1).
import { readEnglishNumber, readHanNumber } from '../../../language/read-number.ts';
import type { ValueSpan } from './mention.ts';

export type PartSpan = ValueSpan<'percent' | 'rank' | 'scoreline'> & { readonly unit: null };

const small =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|\\d{1,3}';
const inOf = new RegExp(
  `\\b(?<part>${small}) (?:in|out of)(?: every)?(?: a)? (?<whole>${small})\\b(?! \\d|,\\d)`,
  'gu',
);
const hanDigits = '[一二两三四五六七八九十百\\d]+';
const hanShare = new RegExp(`(?<whole>${hanDigits})分之(?<part>${hanDigits})`, 'gu');
const halves = /(?<!\d)(?:一半|半数)|\bhalf (?:of )?(?:the|its|their|all)\b/gu;
const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const ordinal = new RegExp(
  `(?<!\\b(?:per|a|each|\\d) )\\b(?<word>${ordinals.slice(1).join('|')})\\b` +
    '(?![- ](?:half|quarter|phase|stage|of|party|person|hand|class))' +
    '(?<largest>-\\w+)?|\\b(?<n>\\d{1,3})(?:st|nd|rd|th)\\b(?! of| \\w+uary)',
  'gu',
);
const hanOrdinal = new RegExp(`第(?<n>${hanDigits})(?=[名位次届])`, 'gu');
const scoreline =
  /(?<![\d.:/-])(?<a>\d{1,2})(?:-|比)(?<b>\d{1,2})(?![\d.:/%-]|年|月|日|个|人|岁|万)/gu;

/** In a folded, lower-case sentence. */
export function readParts(text: string): readonly PartSpan[] {
  const found: PartSpan[] = [];
  const add = (match: RegExpExecArray, kind: PartSpan['kind'], value: number, slack: number) => {
    const [start, end] = [match.index, match.index + match[0].length];
    const isTaken = found.some((one) => start < one.end && one.start < end);
    if (isTaken || !Number.isFinite(value)) return;
    const bounds = { low: value - slack, high: value + slack, start, end };
    found.push({ kind, unit: null, value, ...bounds, bound: kind === 'percent' ? '~' : '' });
  };
  for (const match of text.matchAll(inOf)) {
    const [part, whole] = [numberOf(match.groups?.part), numberOf(match.groups?.whole)];
    if (part < whole) add(match, 'percent', (100 * part) / whole, 2.5);
  }
  for (const match of text.matchAll(hanShare)) {
    if (match.groups?.whole === '百') continue;
    const [part, whole] = [numberOf(match.groups?.part), numberOf(match.groups?.whole)];
    if (part < whole) add(match, 'percent', (100 * part) / whole, 2.5);
  }
  // "Half law firm, half software house" is the whole.
  const half = [...text.matchAll(halves)];
  if (half.length === 1 && half[0] !== undefined) add(half[0], 'percent', 50, 8);
  for (const match of text.matchAll(ordinal)) {
    const { word, n } = match.groups ?? {};
    add(match, 'rank', word === undefined ? Number(n) : ordinals.indexOf(word) + 1, 0.4);
  }
  for (const match of text.matchAll(hanOrdinal)) add(match, 'rank', numberOf(match.groups?.n), 0.4);
  for (const match of text.matchAll(scoreline)) {
    const [a, b] = [Number(match.groups?.a), Number(match.groups?.b)];
    add(match, 'scoreline', Math.max(a, b) * 1000 + Math.min(a, b), 0.4);
  }
  return found;
}

function numberOf(text: string | undefined): number {
  if (text === undefined) return Number.NaN;
  if (/^\d+$/u.test(text)) return Number(text);
  if (text === 'hundred') return 100;
  return (/^[a-z]/u.test(text) ? readEnglishNumber(text) : readHanNumber(text)) ?? Number.NaN;
}
