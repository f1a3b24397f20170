// Completes the claims of a story's reports from each other. A bare figure takes the only measure
// that other reports give to such figures.

import { isSingleMeasure } from '../claims/measures.ts';
import type { OwnedClaim } from '../digest.ts';
import { areNear, doValuesAgree, isOfEvent, isVague } from './compare-claims.ts';

/**
 * A bare figure has no cue for its measure. It is used only in a short sentence, near the beginning
 * of a report or at the start of the sentence.
 */
const MAX_POSITION = 3;
const OPENING = 14;
const LONGEST_SENTENCE = 130;
/** Possible measures of a bare "260 people". */
const ofPeople = new Set(['staff', 'jobs-cut', 'jobs-added', 'sample', 'users', 'plaintiffs']);

export function resolveClaims(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return nameBareFigures(mergeDeals(linkCorrections(nameRecords(claims))));
}

/** "From 46% to 40.6%" states the previous record, while other reports call 40.6% the score. */
function nameRecords(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const scores = claims.filter(({ measure }) => measure === 'score');
  return claims.map((claim) => {
    if (claim.correction?.side !== 'previous' || claim.correction.isExplicit) return claim;
    if (claim.measure !== null && claim.measure !== 'score') return claim;
    const isRecord = claims.some(
      (candidate) =>
        candidate.reportId === claim.reportId &&
        candidate.sentence === claim.sentence &&
        candidate.correction?.side === 'current' &&
        scores.some(
          (score) => score.unit === claim.unit && doValuesAgree(score.value, candidate.value),
        ),
    );
    return isRecord ? { ...claim, measure: 'previous-best', correction: null } : claim;
  });
}

const acquisition =
  /acqui[rs]|takeover|merge|buy|bought|sold|sale|purchas|收购|并购|买下|并入|出售/u;

/**
 * When a company is bought, the value of the deal is the price paid. "Pays" alone is no purchase.
 */
function mergeDeals(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const isDeal = ({ measure }: OwnedClaim) => measure === 'deal' || measure === 'price-paid';
  const isPurchase = claims.some(
    ({ measure, sentence }) => measure === 'price-paid' && acquisition.test(sentence.toLowerCase()),
  );
  const measure = isPurchase ? 'price-paid' : 'deal';
  return claims.map((claim) => (isDeal(claim) ? { ...claim, measure } : claim));
}

/** A correction can name its figure by another noun; the previous value identifies the measure. */
function linkCorrections(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return claims.map((claim) => {
    if (claim.correction === null) return claim;
    const previous = claims.filter(
      (candidate) =>
        candidate.reportId === claim.reportId &&
        candidate.sentence === claim.sentence &&
        candidate.correction?.side === 'previous' &&
        candidate.unit === claim.unit,
    );
    const matches = claims.filter(
      (other) =>
        other.reportId !== claim.reportId &&
        other.correction === null &&
        other.measure !== null &&
        other.measure !== 'people' &&
        isOfEvent(other) &&
        other.unit === claim.unit &&
        previous.some((previousClaim) => doValuesAgree(previousClaim.value, other.value)),
    );
    const [first, ...otherClaims] = matches.toSorted((x, y) => x.scopes.length - y.scopes.length);
    if (first === undefined || otherClaims.some(({ measure }) => measure !== first.measure)) {
      return claim;
    }
    return { ...claim, measure: first.measure, scopes: first.scopes };
  });
}

function nameBareFigures(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return claims.map((claim) => {
    const isPeople = claim.measure === 'people';
    const at = claim.sentence.indexOf(claim.quote);
    const isEarly = claim.position <= MAX_POSITION || (at >= 0 && at <= OPENING);
    const isBare = (claim.measure === null || isPeople) && isOfEvent(claim);
    const isLong = claim.sentence.length > LONGEST_SENTENCE;
    if (!isBare || !isEarly || isLong || isVague(claim)) return claim;
    const ownClaims = claims.filter(
      (candidate) =>
        candidate.reportId === claim.reportId &&
        candidate.unit === claim.unit &&
        isOfEvent(candidate),
    );
    if (
      ownClaims.some(
        (ownClaim) => !doValuesAgree(ownClaim.value, claim.value) && areNear(ownClaim, claim),
      )
    )
      return claim;
    const measuredClaims = claims.filter(
      (other) =>
        other.reportId !== claim.reportId &&
        other.unit === claim.unit &&
        other.measure !== null &&
        other.measure !== 'people' &&
        other.correction?.side !== 'previous' &&
        isOfEvent(other) &&
        !isVague(other) &&
        areNear(claim, other),
    );
    const [first, ...otherClaims] = measuredClaims;
    if (first === undefined || !isSingleMeasure(first.measure ?? '')) return claim;
    if (otherClaims.some((other) => other.measure !== first.measure)) return claim;
    if (isPeople && !ofPeople.has(first.measure ?? '')) return claim;
    return { ...claim, measure: first.measure, scopes: first.scopes };
  });
}
