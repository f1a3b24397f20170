// Whether two claims can be of the same thing, and whether they then agree. What is unsure is not
// comparable: no contradiction is made of it.
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { Claim } from './digest.ts';
import { sameMatter } from './find-names.ts';

export type Reading = {
  /** Attribute with its scope, without the side of a correction. */
  readonly key: string;
  readonly name: string;
  readonly side: 'was' | 'now' | null;
  /** Taken back in so many words, not only changed since. */
  readonly isCorrection: boolean;
  readonly isSure: boolean;
  /** For an unsure figure: kind, and what its report is about. */
  readonly kind: string;
  readonly hints: readonly string[];
};

const sides: Readonly<Record<string, 'was' | 'now'>> = {
  ...{ was: 'was', now: 'now', from: 'was', to: 'now' },
};

/** The parts of a claim's attribute. */
export function readAttribute(attribute: string): Reading {
  const known = readings.get(attribute);
  if (known !== undefined) return known;
  const reading = parseAttribute(attribute);
  if (readings.size > mostReadings) readings.clear();
  readings.set(attribute, reading);
  return reading;
}

/** Asked for thousands of times in a story; there are few of them. */
const readings = new Map<string, Reading>();
const mostReadings = 5_000;

function parseAttribute(attribute: string): Reading {
  const [key = '', side] = attribute.split('#');
  const name = key.split('@')[0] ?? '';
  const isSure = !name.startsWith('?');
  const [kind = '', hints = ''] = isSure ? ['', ''] : name.slice(1).split(':');
  return {
    ...{ key, name, isSure, kind, side: sides[side ?? ''] ?? null },
    isCorrection: side === 'was' || side === 'now',
    hints: hints.split(',').filter((hint) => hint !== ''),
  };
}

/** Where a value lies: numbers between two bounds, days in milliseconds with a day's tolerance. */
function boundsOf(value: string): readonly [number, number] | null {
  const range = /\|(-?[\d.e+-]+)\.\.(-?[\d.e+-]+)$/u.exec(value);
  if (range !== null) return [Number(range[1]), Number(range[2])];
  if (!/^\d{4}-\d\d-\d\d$/u.test(value)) return null;
  const at = Date.parse(value);
  // Publishers in two time zones call one instant two days.
  return [at - 0.6 * DAY_MS, at + 0.6 * DAY_MS];
}

/** The middle of a value; null for what is no number. */
function middleOf(value: string): number | null {
  const match = /^[~≥≤]?(-?[\d.e+-]+)\|/u.exec(value);
  return match === null ? null : Math.abs(Number(match[1]));
}

/** So many times apart, two figures are rarely of one thing. */
const mostApart = { percent: 4.5, count: 5, other: 12 } as const;

const mostOfPlainCount = 3;

/** Whether two numbers lie at most `times` apart. */
export function comparableMiddle(a: Claim, b: Claim, times: number): boolean {
  const [first, second] = [middleOf(a.value), middleOf(b.value)];
  if (first === null || second === null) return false;
  return Math.max(first, second) <= times * Math.min(first, second);
}

export function isNear(a: Claim, b: Claim): boolean {
  const [first, second] = [middleOf(a.value), middleOf(b.value)];
  if (first === null || second === null || first === second) return true;
  const ratio = Math.max(first, second) / Math.max(1e-9, Math.min(first, second));
  const kind = a.unit === null ? 'count' : a.unit === 'percent' ? 'percent' : 'other';
  return ratio <= mostApart[kind];
}

/** Whether two values can be the same, each as exact as it was written. */
export function agree(a: Pick<Claim, 'value'>, b: Pick<Claim, 'value'>): boolean {
  const first = boundsOf(a.value);
  const second = boundsOf(b.value);
  if (first === null || second === null) return a.value === b.value;
  return first[0] < second[1] && second[0] < first[1];
}

/** Marks that say a figure is not of today's whole thing. */
const apart = /@(?:past|part|target|talks)\b/u;

/** What is told of a year is told when it is past. */
const ofPeriods = new Set(['growth', 'decline', 'revenue', 'profit', 'loss', 'attendance']);

function isApart({ key, name }: Reading): boolean {
  return apart.test(ofPeriods.has(name) ? key.replace('@past', '') : key);
}

/** Whether two claims may be set against each other. */
export function comparable(a: Claim, b: Claim): boolean {
  if (a.unit !== b.unit || a.reportId === b.reportId) return false;
  const [first, second] = [readAttribute(a.attribute), readAttribute(b.attribute)];
  if (!first.isSure || first.key !== second.key || isApart(first)) return false;
  const isPlainCount = first.name.startsWith('number-');
  if (isPlainCount && !comparableMiddle(a, b, mostOfPlainCount)) return false;
  return isNear(a, b) && sameMatter(a.anchor, b.anchor);
}

/** Written exactly in both, whatever the words. */
export function isSameFigure(a: Claim, b: Claim): boolean {
  const isExact = /^\d/u.test(a.value) && /^\d/u.test(b.value) && a.unit !== 'day';
  return isExact && agree(a, b);
}

/** Another report states this figure too. */
export const isShared = (claim: Claim, all: readonly Claim[]): boolean =>
  all.some((one) => {
    const isIt = one.reportId !== claim.reportId && one.unit === claim.unit;
    return isIt && agree(one, claim);
  });
