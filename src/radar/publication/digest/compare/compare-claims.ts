// Whether two values agree, each as exact as it was written, and whether two claims are of the same
// thing. Claims that are not surely of the same thing are never compared.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { canBeSameSubject } from '../claims/find-names.ts';
import type { Claim, ClaimValue, Scope } from '../digest.ts';

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

export function doValuesAgree(a: ClaimValue, b: ClaimValue): boolean {
  if (a.kind !== b.kind) return false;
  const [first, second] = [rangeOf(a), rangeOf(b)];
  return first[0] < second[1] && second[0] < first[1];
}

/** A larger quotient of two figures means two things rather than a disagreement. */
const MOST_QUOTIENT = { duration: 9, other: 2.2 } as const;

function isNear(a: Claim, b: Claim): boolean {
  if (a.value.kind === 'day' || b.value.kind === 'day') return a.value.kind === b.value.kind;
  const [small, large] = [a.value.middle, b.value.middle].sort((one, two) => one - two);
  if (small === undefined || large === undefined || small <= 0) return false;
  return large / small <= (a.unit === 'duration' ? MOST_QUOTIENT.duration : MOST_QUOTIENT.other);
}

/** Scopes of figures that do not belong to the event itself. */
const foreign: ReadonlySet<Scope> = new Set(['past', 'part', 'target', 'talks', 'left']);

export const isOfEvent = (claim: Claim) => claim.scopes.every((scope) => !foreign.has(scope));

/** `price|CNY|per-month`: equal for claims that may be compared. */
export const comparisonKey = ({ measure, unit, scopes }: Claim) =>
  [measure ?? '', unit ?? '', ...scopes].join('|');

/** Whether two claims of one comparison key are of one thing. */
export function areComparable(a: Claim, b: Claim): boolean {
  return (
    a.reportId !== b.reportId &&
    comparisonKey(a) === comparisonKey(b) &&
    isNear(a, b) &&
    canBeSameSubject(a.subjects, b.subjects)
  );
}
