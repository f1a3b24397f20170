// A figure of which its own words do not say what it is of ("57.5% on Hanque."), and what it must
// be of all the same.
import { agree, isNear, isSameFigure, isShared, readAttribute } from './compare-claims.ts';
import type { OwnedClaim } from './digest.ts';

/** What bare "260 people" may be. */
const ofPeople = new Set(['staff', 'jobs-cut', 'jobs-added', 'sample', 'victims', 'injured']);

/**
 * A figure that stands alone ("57.5% on Hanque.") is of what the others' only figure of its kind
 * is of, or of the one its own report is about; otherwise it stays unsure.
 */
export function nameUnsure(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return claims.map((claim) => {
    const { isSure, side, kind, hints, key } = readAttribute(claim.attribute);
    if (isSure || key.includes('@') || claim.sentence.length > 130) return claim;
    const isOwn = (other: OwnedClaim) => other.reportId === claim.reportId;
    const alike = claims.filter((other) => {
      const reading = readAttribute(other.attribute);
      const isFit = kind !== 'people' || ofPeople.has(reading.name);
      const isLive = reading.isSure && !reading.key.includes('@past');
      return isLive && isFit && other.unit === claim.unit;
    });
    // A report that states this figure too has its own of what it is not.
    const aware = new Set(
      claims
        .filter((other) => other.unit === claim.unit && agree(other, claim))
        .map((other) => other.reportId),
    );
    const own = new Set(
      alike
        .filter((other) => isOwn(other) && !isShared(other, alike))
        .map((other) => readAttribute(other.attribute).key),
    );
    const keys = new Set(
      alike
        .filter((other) => !isOwn(other) && readAttribute(other.attribute).side === null)
        .filter((other) => !aware.has(other.reportId) || agree(other, claim))
        .filter((other) => isNear(other, claim))
        .map((other) => readAttribute(other.attribute).key),
    );
    const hinted = [...keys].filter((one) => hints.includes(one));
    // "For a year" may be anything; only its report's own matter says what.
    const isSubject = claim.sentence.startsWith(claim.said);
    const isOther = hints.length > 0 && hinted.length === 0 && kind === 'money';
    const isAlone = keys.size === 1 && (kind !== 'duration' || isSubject) && !isOther;
    const meant = isAlone ? [...keys] : hinted.length === 1 ? hinted : [];
    const [name] = meant;
    // One figure, told twice in one report, is of one thing: the title's is the text's, whole
    // where that is whole and past where that is past.
    const twin = side === null ? twinKey(claims, claim) : null;
    if (twin !== null && (name === undefined || twin.startsWith(`${name}@`))) {
      return { ...claim, attribute: twin };
    }
    if (name === undefined || own.has(name) || kind === '') return claim;
    const attribute = side === null ? name : `${name}#${claim.attribute.split('#')[1]}`;
    return { ...claim, attribute };
  });
}

/** What the same figure is of where its own report says it; null where it does not, or twice. */
function twinKey(claims: readonly OwnedClaim[], claim: OwnedClaim): string | null {
  const keys = new Set(
    claims.flatMap((other) => {
      const { isSure, side, key } = readAttribute(other.attribute);
      const isTwin = other.reportId === claim.reportId && other.unit === claim.unit;
      return isTwin && isSure && side === null && isSameFigure(other, claim) ? [key] : [];
    }),
  );
  const [only, ...more] = keys;
  return only === undefined || more.length > 0 ? null : only;
}
