// Differences between the figures and days of a story's reports: contradictions between independent
// owners, and figures that a newer report replaced. A doubtful difference is never reported.
import { tokensOf } from '../../../language/write-lead.ts';
import { canBeSameSubject } from '../claims/find-names.ts';
import { isSingleMeasure } from '../claims/measures.ts';
import { plainSentences } from '../claims/plain-sentences.ts';
import {
  areComparable,
  comparisonKey,
  doValuesAgree,
  isOfEvent,
  isVague,
} from '../compare/compare-claims.ts';
import { resolveClaims } from '../compare/resolve-claims.ts';
import type { DigestReport, OwnedClaim, ReportCopy, ReportWithClaims } from '../digest.ts';

export type FoundContradiction = {
  /** At least two sides; the side of the earliest report first. */
  readonly sides: readonly (readonly OwnedClaim[])[];
};

export type FigureChange = {
  /** Claims of earlier reports that state the previous value; at least one. */
  readonly previous: readonly OwnedClaim[];
  readonly current: OwnedClaim;
};

export type FigureFindings = {
  readonly contradictions: readonly FoundContradiction[];
  readonly changes: readonly FigureChange[];
};

/** Sentences about the event itself. In a long article the rest is background. */
const MAX_POSITION = { short: 12, long: 4 } as const;
const LONG_TEXT = 1_200;

const isAboutEvent = ({ position, report: { text, language } }: OwnedClaim) =>
  position <=
  (text.length > LONG_TEXT / (language.startsWith('zh') ? 2 : 1)
    ? MAX_POSITION.long
    : MAX_POSITION.short);

/** `reports` in order of time. */
export function findContradictions(reports: readonly ReportWithClaims[]): FigureFindings {
  const originals = withoutCopies(reports);
  const claims = resolveClaims(
    originals.flatMap((report) => report.claims.map((claim) => ({ ...claim, report }))),
  );
  const changes = changesIn(claims);
  const replaced = new Set(changes.flatMap(({ previous }) => previous));
  const current = claims.filter(
    (claim) => claim.correction?.side !== 'previous' && !replaced.has(claim),
  );
  const byKey = Map.groupBy(
    current.filter((claim) => isSingleMeasure(claim.measure ?? '') && isOfEvent(claim)),
    comparisonKey,
  );
  const contradictions = [...byKey.values()].flatMap(
    (group) => contradictionIn(group, claims) ?? [],
  );
  return { contradictions: withoutRepeats(contradictions), changes };
}

/** A pair of figures that matches two measures is reported once. */
function withoutRepeats(
  contradictions: readonly FoundContradiction[],
): readonly FoundContradiction[] {
  const voices = ({ sides }: FoundContradiction) => sides.flat().length;
  const distinctContradictions: FoundContradiction[] = [];
  for (const contradiction of contradictions.toSorted((a, b) => voices(b) - voices(a))) {
    const isRepeated = distinctContradictions.some((other) =>
      contradiction.sides.every((side) => statesValue(other, side)),
    );
    if (!isRepeated) distinctContradictions.push(contradiction);
  }
  return contradictions.filter((contradiction) => distinctContradictions.includes(contradiction));
}

function statesValue({ sides }: FoundContradiction, [claim]: readonly OwnedClaim[]): boolean {
  return sides.flat().some((stated) => {
    return stated.unit === claim?.unit && doValuesAgree(stated.value, claim.value);
  });
}

/** A report is a copy when an earlier one has nine tenths of its sentences and all its figures. */
const COPIED_SHARE = 0.9;

export function withoutCopies<T extends DigestReport>(reports: readonly T[]): readonly T[] {
  const copied = new Set(findCopies(reports).map(({ reportId }) => reportId));
  return reports.filter(({ id }) => !copied.has(id));
}

/** Each copy with the earliest report that it repeats. `reports` in order of time. */
export function findCopies(reports: readonly DigestReport[]): readonly ReportCopy[] {
  const contents = reports.map((report) => ({
    id: report.id,
    sentences: sentenceSet(report),
    figures: (report.text.match(/\d+/gu) ?? []).join(' '),
  }));
  return contents.flatMap(({ id, sentences, figures }, index) => {
    if (sentences.size === 0) return [];
    const original = contents.slice(0, index).find((earlier) => {
      const shared = [...sentences].filter((sentence) => earlier.sentences.has(sentence)).length;
      return figures === earlier.figures && shared >= COPIED_SHARE * sentences.size;
    });
    return original === undefined ? [] : [{ reportId: id, originalId: original.id }];
  });
}

function sentenceSet(report: DigestReport): ReadonlySet<string> {
  const fold = (text: string) => [...tokensOf(text)].sort().join(' ');
  return new Set(plainSentences(report).slice(0, 12).map(fold));
}

function changesIn(claims: readonly OwnedClaim[]): readonly FigureChange[] {
  const found: FigureChange[] = [];
  for (const current of claims) {
    const isFix = current.correction?.side === 'current' && current.correction.isExplicit;
    const isOwn = current.correction === null && current.position === 0;
    if (!isFix && !isOwn) continue;
    const correctedClaims = claims.filter(
      (claim) =>
        claim.reportId === current.reportId &&
        claim.sentence === current.sentence &&
        claim.correction?.side === 'previous' &&
        claim.unit === current.unit,
    );
    const previous = claims.filter((claim) => {
      const isEarlier = claim.at <= current.at && claim.reportId !== current.reportId;
      const isPlain = claim.correction?.side !== 'previous' && isOfEvent(claim);
      if (!isEarlier || !isPlain || claim.unit !== current.unit) return false;
      if (doValuesAgree(claim.value, current.value)) return false;
      if (isFix && correctedClaims.length > 0) {
        return (
          correctedClaims.some((correctedClaim) => isSameFigure(correctedClaim, claim)) &&
          isNamedAlike(claim, current)
        );
      }
      const isSame = areComparable(claim, current) && isSingleMeasure(claim.measure ?? '');
      return isSame && isOwn && isOwnUpdate(current, claim);
    });
    const isKnown = found.some(
      (change) =>
        doValuesAgree(change.current.value, current.value) && change.current.unit === current.unit,
    );
    const isOneValue = previous.every((claim) =>
      doValuesAgree(claim.value, (previous[0] ?? claim).value),
    );
    if (previous.length > 0 && isOneValue && !isKnown) found.push({ previous, current });
  }
  return found;
}

/** The correction repeats the earlier figure exactly. */
function isSameFigure(a: OwnedClaim, b: OwnedClaim): boolean {
  if (a.value.kind === 'day' || b.value.kind === 'day') return doValuesAgree(a.value, b.value);
  const difference = Math.abs(a.value.middle - b.value.middle);
  return difference <= 0.005 * Math.abs(a.value.middle) && a.scopes.join() === b.scopes.join();
}

const isNamedAlike = (a: OwnedClaim, b: OwnedClaim) =>
  a.measure === null || b.measure === null || a.measure === b.measure;

/** A later report of the same source under nearly the same title states another figure. */
function isOwnUpdate(later: OwnedClaim, claim: OwnedClaim): boolean {
  return (
    later.report.owner === claim.report.owner &&
    later.report.sourceName === claim.report.sourceName &&
    claim.unit !== 'day' &&
    claim.position === 0 &&
    sharedWords(later.report.title, claim.report.title) >= MIN_SHARED.title
  );
}

/** Words for a figure that grew with time, which is no contradiction. */
const widened = /\b(?:widen|expand|extend)(?:s|ed)?\b.{0,40}\bto\b|扩大[到至]/u;

function contradictionIn(
  group: readonly OwnedClaim[],
  all: readonly OwnedClaim[],
): FoundContradiction | null {
  const usable = group.filter(
    (claim) => isAboutEvent(claim) && isOnlyValue(claim, all) && !widened.test(claim.sentence),
  );
  const sides: OwnedClaim[][] = [];
  for (const claim of usable) {
    const side = sides.find((side) =>
      side.every((other) => doValuesAgree(other.value, claim.value)),
    );
    if (side === undefined) sides.push([claim]);
    else side.push(claim);
  }
  const contrary = (a: OwnedClaim, b: OwnedClaim) =>
    a.report.owner !== b.report.owner &&
    !doValuesAgree(a.value, b.value) &&
    areComparable(a, b) &&
    areAligned(a, b) &&
    !statesOtherValue(a, b, all) &&
    !statesOtherValue(b, a, all);
  const contested = sides.filter((side) =>
    sides.some((other) => other !== side && other.some((a) => side.some((b) => contrary(a, b)))),
  );
  return contested.length === 2 ? { sides: contested } : null;
}

/** Share of the words of the shorter sentence or title. */
const MIN_SHARED = { day: 0.35, title: 0.6 } as const;

/** A measure identifies a figure, but many different things have a date. */
function areAligned(a: OwnedClaim, b: OwnedClaim): boolean {
  if (a.unit !== 'day') return true;
  return (
    a.report.language === b.report.language && sharedWords(a.sentence, b.sentence) >= MIN_SHARED.day
  );
}

function sharedWords(a: string, b: string): number {
  const words = (text: string) =>
    new Set([...tokensOf(text)].filter((token) => !/\d/u.test(token)));
  const [wordsOfA, wordsOfB] = [words(a), words(b)];
  const shared = [...wordsOfA].filter((token) => wordsOfB.has(token)).length;
  return shared / Math.max(1, Math.min(wordsOfA.size, wordsOfB.size));
}

/** A report with several values of one measure does not show which one belongs to the event. */
function isOnlyValue(claim: OwnedClaim, all: readonly OwnedClaim[]): boolean {
  return all.every(
    (candidate) =>
      candidate.reportId !== claim.reportId ||
      candidate.measure !== claim.measure ||
      candidate.unit !== claim.unit ||
      candidate.correction?.side === 'previous' ||
      candidate.scopes.includes('past') ||
      !canBeSameSubject(candidate.subjects, claim.subjects) ||
      doValuesAgree(candidate.value, claim.value),
  );
}

/** A report that also states the other figure, for any measure, does not contradict it. */
function statesOtherValue(
  claim: OwnedClaim,
  other: OwnedClaim,
  all: readonly OwnedClaim[],
): boolean {
  const isStated = all.some(
    (candidate) =>
      candidate.reportId === claim.reportId &&
      candidate.unit === other.unit &&
      candidate !== claim &&
      !isVague(candidate) &&
      doValuesAgree(candidate.value, other.value) &&
      !doValuesAgree(candidate.value, claim.value),
  );
  const text = `${claim.report.title}\n${claim.report.text}`;
  return isStated || (other.quote.length >= 5 && containsFigure(text, other.quote));
}

/** "1.2 million" does not contain "2 million". */
function containsFigure(text: string, figure: string): boolean {
  const at = text.indexOf(figure);
  return at >= 0 && !/\d[.,]?$/u.test(text.slice(0, at));
}
