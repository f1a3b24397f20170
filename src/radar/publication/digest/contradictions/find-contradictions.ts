// Differences between the figures and days of a story's reports: contradictions between independent
// owners, and figures that a newer report replaced. A doubtful difference is never reported.
import { tokensOf } from '../../../language/write-lead.ts';
import { canBeSameSubject } from '../claims/find-names.ts';
import { isGrowingMeasure, isSingleMeasure } from '../claims/measures.ts';
import { plainSentences } from '../claims/plain-sentences.ts';
import {
  areComparable,
  comparisonKey,
  doValuesAgree,
  isOfEvent,
  rangeWidth,
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
  /** Counts for which a later report states a higher value, such as deaths. */
  readonly outgrown: readonly OwnedClaim[];
  readonly copies: readonly ReportCopy[];
};

/** Sentences about the event itself. In a long article, later sentences are background. */
const MAX_POSITION = { short: 12, long: 4 } as const;
const LONG_TEXT = 1_200;

const isAboutEvent = ({ position, report: { text, language } }: OwnedClaim) =>
  position <=
  (text.length > LONG_TEXT / (language.startsWith('zh') ? 2 : 1)
    ? MAX_POSITION.long
    : MAX_POSITION.short);

/** `reports` in order of time. */
export function findContradictions(reports: readonly ReportWithClaims[]): FigureFindings {
  const copies = findCopies(reports);
  const originals = withoutCopies(reports, copies);
  const claims = resolveClaims(
    originals.flatMap((report) => report.claims.map((claim) => ({ ...claim, report }))),
  );
  const changes = findChanges(claims);
  const replaced = new Set(changes.flatMap(({ previous }) => previous));
  const current = claims.filter(
    (claim) => claim.correction?.side !== 'previous' && !replaced.has(claim),
  );
  const byKey = Map.groupBy(
    current.filter((claim) => isSingleMeasure(claim.measure ?? '') && isOfEvent(claim)),
    comparisonKey,
  );
  const contradictions = [...byKey.values()].flatMap(
    (group) => findGroupContradiction(group, claims) ?? [],
  );
  return {
    contradictions: withoutRepeats(contradictions),
    changes,
    outgrown: findOutgrown(claims),
    copies,
  };
}

/** A pair of figures that matches two measures is reported once. */
function withoutRepeats(
  contradictions: readonly FoundContradiction[],
): readonly FoundContradiction[] {
  const claimCount = ({ sides }: FoundContradiction) => sides.flat().length;
  const distinctContradictions: FoundContradiction[] = [];
  for (const contradiction of contradictions.toSorted((a, b) => claimCount(b) - claimCount(a))) {
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

/**
 * A report is a copy when an earlier report has nine tenths of its sentences and the same figures.
 */
const COPIED_SHARE = 0.9;

export function withoutCopies<T extends DigestReport>(
  reports: readonly T[],
  copies: readonly ReportCopy[],
): readonly T[] {
  return reports.filter(({ id }) => copies.every(({ reportId }) => reportId !== id));
}

/** Each copy with the earliest report that it repeats. `reports` in order of time. */
function findCopies(reports: readonly DigestReport[]): readonly ReportCopy[] {
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

/** A report corrects the figure of an earlier one. */
function findChanges(claims: readonly OwnedClaim[]): readonly FigureChange[] {
  const changes = claims.flatMap((current): readonly FigureChange[] => {
    if (current.correction?.side !== 'current' || !current.correction.isExplicit) return [];
    const correctedClaims = claims.filter(
      (claim) =>
        claim.reportId === current.reportId &&
        claim.sentence === current.sentence &&
        claim.correction?.side === 'previous' &&
        claim.unit === current.unit,
    );
    const previous = claims.filter(
      (claim) =>
        claim.at <= current.at &&
        claim.reportId !== current.reportId &&
        claim.correction?.side !== 'previous' &&
        isOfEvent(claim) &&
        claim.unit === current.unit &&
        !doValuesAgree(claim.value, current.value) &&
        correctedClaims.some((corrected) => isSameFigure(corrected, claim)) &&
        isNamedAlike(claim, current),
    );
    return previous.length > 0 ? [{ previous, current }] : [];
  });
  const isSame = (a: OwnedClaim, b: OwnedClaim) =>
    a.unit === b.unit && doValuesAgree(a.value, b.value);
  return changes.filter(
    ({ current }, index) =>
      !changes.slice(0, index).some((earlier) => isSame(earlier.current, current)),
  );
}

/** The correction repeats the earlier figure, apart from rounding. */
function isSameFigure(a: OwnedClaim, b: OwnedClaim): boolean {
  if (a.value.kind === 'day' || b.value.kind === 'day') return doValuesAgree(a.value, b.value);
  const difference = Math.abs(a.value.middle - b.value.middle);
  return difference <= 0.005 * Math.abs(a.value.middle) && a.scopes.join() === b.scopes.join();
}

/** A later report can count more victims of one event by at most this factor. */
const MAX_GROWTH = 4;

function findOutgrown(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const growing = claims.filter(
    (claim) => isGrowingMeasure(claim.measure ?? '') && isAboutEvent(claim) && isOfEvent(claim),
  );
  return growing.filter((claim) =>
    growing.some(
      (later) =>
        later.at > claim.at &&
        comparisonKey(later) === comparisonKey(claim) &&
        canBeSameSubject(later.subjects, claim.subjects) &&
        isGrowth(claim, later),
    ),
  );
}

function isGrowth({ value }: OwnedClaim, { value: later }: OwnedClaim): boolean {
  if (value.kind === 'day' || later.kind === 'day' || doValuesAgree(value, later)) return false;
  return later.middle > value.middle && later.middle <= MAX_GROWTH * value.middle;
}

const isNamedAlike = (a: OwnedClaim, b: OwnedClaim) =>
  a.measure === null || b.measure === null || a.measure === b.measure;

/** Words for a figure that grew with time, which is no contradiction. */
const widened = /\b(?:widen|expand|extend)(?:s|ed)?\b.{0,40}\bto\b|扩大[到至]/u;

function findGroupContradiction(
  group: readonly OwnedClaim[],
  all: readonly OwnedClaim[],
): FoundContradiction | null {
  const usable = group.filter(
    (claim) => isAboutEvent(claim) && isOnlyValue(claim, all) && !widened.test(claim.sentence),
  );
  const sides: OwnedClaim[][] = [];
  // The precise values form the sides. "About 75" agrees with 75 and with "over 80", which differ.
  const preciseFirst = usable.toSorted((a, b) => rangeWidth(a.value) - rangeWidth(b.value));
  for (const claim of preciseFirst) {
    // "Over 4.6 million users" of the title agrees with 5.8 million; "4.6 million" decides.
    if (sides.some((side) => side.some(({ reportId }) => reportId === claim.reportId))) continue;
    const side = sides.find((side) =>
      side.every((other) => doValuesAgree(other.value, claim.value)),
    );
    if (side === undefined) sides.push([claim]);
    else side.push(claim);
  }
  const areContrary = (a: OwnedClaim, b: OwnedClaim) =>
    a.report.owner !== b.report.owner &&
    !doValuesAgree(a.value, b.value) &&
    areComparable(a, b) &&
    !statesOtherValue(a, b, all) &&
    !statesOtherValue(b, a, all);
  const disputed = sides.filter((side) =>
    sides.some((other) => other !== side && other.some((a) => side.some((b) => areContrary(a, b)))),
  );
  // A source that states both values has corrected its report or speaks about two figures.
  const contested = disputed
    .map((side) =>
      side.filter(({ report }) => disputed.every((s) => s === side || !hasSource(s, report))),
    )
    .filter((side) => side.length > 0);
  if (contested.length !== 2) return null;
  const inOrder = contested.map((side) => side.toSorted((a, b) => a.at - b.at));
  return { sides: inOrder.sort(([a], [b]) => (a?.at ?? 0) - (b?.at ?? 0)) };
}

const hasSource = (side: readonly OwnedClaim[], { sourceName }: DigestReport) =>
  side.some(({ report }) => report.sourceName === sourceName);

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
      doValuesAgree(candidate.value, other.value) &&
      !doValuesAgree(candidate.value, claim.value),
  );
  const text = `${claim.report.title}\n${claim.report.text}`;
  return isStated || (other.quote.length >= 5 && containsFigure(text, other.quote));
}

/** "1.2 million" does not contain "2 million", and "600" does not contain "60". */
export function containsFigure(text: string, figure: string): boolean {
  for (let at = text.indexOf(figure); at >= 0; at = text.indexOf(figure, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.charAt(at + figure.length);
    if (!/\d[.,]?$/u.test(before) && !/\d/u.test(after)) return true;
  }
  return false;
}
