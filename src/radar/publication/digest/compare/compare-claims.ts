// Decides whether two values agree within their precision, and whether two claims are about the
// same thing. Claims are compared only when they are certainly about the same thing.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { canBeSameSubject } from '../claims/find-names.ts';
import type { Claim, ClaimValue, OwnedClaim, Scope } from '../digest.ts';

/** Publishers in two time zones give one instant two days. */
const DAY_TOLERANCE_MS = 0.6 * DAY_MS;

/** The range in which a value lies. A lower or upper bound is open to one side. */
function rangeOf(value: ClaimValue): readonly [number, number] {
  if (value.kind === 'day') {
    const at = Date.parse(value.day);
    return [at - DAY_TOLERANCE_MS, at + DAY_TOLERANCE_MS];
  }
  const { low, high, bound } = value;
  if (bound === 'at_least') return [low, Number.POSITIVE_INFINITY];
  return bound === 'at_most' ? [0, high] : [low, high];
}

/** A value with a smaller width is more precise. Without an upper bound, the width is infinite. */
export function rangeWidth(value: ClaimValue): number {
  const [low, high] = rangeOf(value);
  return high - low;
}

export function doValuesAgree(a: ClaimValue, b: ClaimValue): boolean {
  if (a.kind !== b.kind) return false;
  const [first, second] = [rangeOf(a), rangeOf(b)];
  return first[0] < second[1] && second[0] < first[1];
}

/** A larger quotient of two figures means two different things, not a disagreement. */
const MAX_QUOTIENT = { duration: 9, other: 2.2 } as const;
/** A smaller difference between sums comes from conversion or rounding. */
const MIN_MONEY_QUOTIENT = 1.05;

/** Whether two figures can be about one thing. */
export function areNear(a: Claim, b: Claim): boolean {
  if (a.value.kind === 'day' || b.value.kind === 'day') return false;
  const max = a.unit === 'duration' ? MAX_QUOTIENT.duration : MAX_QUOTIENT.other;
  const quotient = a.value.middle / b.value.middle;
  return quotient <= max && quotient >= 1 / max;
}

function canDiffer(a: Claim, b: Claim): boolean {
  if (a.value.kind === 'day' || b.value.kind === 'day') return a.value.kind === b.value.kind;
  const isMoney = /^[A-Z]{3}$/u.test(a.unit ?? '');
  const quotient = a.value.middle / b.value.middle;
  const isEqual = quotient < MIN_MONEY_QUOTIENT && quotient > 1 / MIN_MONEY_QUOTIENT;
  return areNear(a, b) && !(isMoney && isEqual);
}

/** "After a year of hearings" is not an exact year, and 一天内 is not an exact day. */
export const isVague = (claim: Claim) =>
  claim.unit === 'duration' && /^(?:an? |一)/iu.test(claim.quote);

/** Scopes of figures that do not belong to the event itself. */
const foreign: ReadonlySet<Scope> = new Set(['past', 'part', 'region', 'target', 'talks', 'left']);

export const isOfEvent = (claim: Claim) => claim.scopes.every((scope) => !foreign.has(scope));

/** `price|CNY|per-month`: equal for claims that may be compared. */
export const comparisonKey = ({ measure, unit, scopes }: Claim) =>
  [measure ?? '', unit ?? '', ...scopes].join('|');

/** Whether two claims with the same comparison key are about the same thing. */
export function areComparable(a: OwnedClaim, b: OwnedClaim): boolean {
  return (
    a.reportId !== b.reportId &&
    comparisonKey(a) === comparisonKey(b) &&
    canDiffer(a, b) &&
    (canBeSameSubject(a.subjects, b.subjects) || areMakerAndProduct(a, b))
  );
}

/** "Sablefen counts 190,000 users" and "110,000 use Wicket": a title names both products. */
function areMakerAndProduct(a: OwnedClaim, b: OwnedClaim): boolean {
  if (a.measure !== 'users') return false;
  const titles = [a, b].map(({ report }) => report.title.toLowerCase());
  const isIn = (title: string) => (claim: OwnedClaim) =>
    claim.subjects.some(({ name, role }) => role === 'subject' && title.includes(name));
  return titles.some((title) => [a, b].every(isIn(title)));
}
