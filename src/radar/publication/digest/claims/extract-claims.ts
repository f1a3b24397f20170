// The claims of one report: every figure and day that it states, its measure, its scopes, and
// whether the sentence corrects an earlier figure. Pure, so that claims are stored per revision.
import { cue } from '../../../language/cues.ts';
import { type DayMention, readDays } from '../../../language/read-dates.ts';
import { type Figure, readFigures } from '../../../language/read-figures.ts';
import type { Claim, ClaimValue, DigestReport, Scope } from '../digest.ts';
import { isBackground } from './background-sentence.ts';
import { findNames } from './find-names.ts';
import { foldCased } from './fold-cased.ts';
import { type MeasureCues, nearestMeasure, openMeasureCues } from './measures.ts';
import { isAfterName, isInTitle, isModelSize, versionsIn } from './name-numbers.ts';
import { plainSentences } from './plain-sentences.ts';
import { isChange, isChangeBack, isCorrection, sideOf } from './read-corrections.ts';
import { type FigureClause, scopesOf } from './read-scopes.ts';

const MAX_CLAIMS = 60;
/** News stands at the beginning; later figures are background. */
const MAX_SENTENCES = 24;
const LONGEST_SENTENCE = 600;

const mayState = new RegExp(
  '\\p{N}|[二三四五六七八九十百千万亿半]|' +
    '\\b(?:an?|half|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[ -]|' +
    '\\b(?:dozens?|\\w+teen|\\w+ty)[ -]|\\b(?:dozen|hundred|million|billion)',
  'iu',
);

type SentenceInput = {
  readonly report: DigestReport;
  readonly written: string;
  readonly position: number;
  /** Title and first sentence, folded. */
  readonly context: string;
  readonly versions: ReadonlySet<string>;
};

/** In reading order; figures of the title come first. */
export function extractClaims(report: DigestReport): readonly Claim[] {
  const title = report.title.replace(/\s+/gu, ' ').trim();
  const texts = plainSentences(report).slice(0, MAX_SENTENCES);
  const context = fold(`${title} ${texts[0] ?? ''}`.slice(0, LONGEST_SENTENCE));
  const versions = versionsIn(title);
  const claims = [title, ...texts].flatMap((text, position) => {
    const written = text.slice(0, LONGEST_SENTENCE);
    if (!mayState.test(written)) return [];
    return claimsIn({ report, written, position, context, versions });
  });
  return claims.slice(0, MAX_CLAIMS);
}

const fold = (text: string) => foldCased(text).toLowerCase();

function claimsIn(input: SentenceInput): readonly Claim[] {
  const { report, written, position, context } = input;
  const cased = foldCased(written);
  const text = cased.toLowerCase();
  const days = readDays(text, report.at);
  const figures = figuresIn(cased, text, days, input.versions);
  if (figures.length === 0 && days.length === 0) return [];
  const cues = openMeasureCues(text);
  const isOther = isBackground(text, days, report.at);
  const isCorrecting = isCorrection(text);
  const base = { sentence: written, position, reportId: report.id, at: report.at };
  const stage = { text, cased, context, isOther };
  const measures = measureFigures(text, figures, cues);
  const figureClaims = figures.flatMap((figure, index): readonly Claim[] => {
    const measure = measures[index] ?? null;
    if (measure === null && figure.kind === 'count') return [];
    const isTokens = figure.kind === 'count' && isOfTokens(measure);
    if (isTokens && figure.value < 1000) return [];
    const clause = clauseOf(text, figure, figures, context);
    const correction = correctionOf(text, figures, index, isCorrecting);
    const isFormer = correction?.side === 'previous' && !correction.isExplicit;
    const isScore = measure === 'score' || (measure === null && isOfScores(context));
    const isRecord = isFormer && isScore && figure.kind === 'percent';
    return [
      {
        ...base,
        measure: isRecord ? 'previous-best' : measure,
        scopes: scopesIn(measure ?? '', clause, stage),
        value: measure === 'context' ? exactValue(figure) : claimValue(figure),
        unit: isTokens ? 'tokens' : unitOf(figure),
        correction: isRecord ? null : correction,
        subjects: subjectsIn(cased, clause, figure.start),
        quote: originalSpelling(written, text.slice(figure.start, figure.end)),
      },
    ];
  });
  const dateClaims = days.flatMap((day): readonly Claim[] => {
    const found = nearestMeasure(text, { ...day, kind: 'date' }, cues, days);
    if (found === null || found.distance > 30) return [];
    const clause = clauseOf(text, day, days, context);
    return [
      {
        ...base,
        measure: found.name,
        scopes: scopesIn(found.name, clause, stage),
        value: { kind: 'day', day: day.value },
        unit: 'day',
        correction: isCorrecting ? { side: sideOf(text, day), isExplicit: true } : null,
        subjects: subjectsIn(cased, clause, day.start),
        quote: originalSpelling(written, text.slice(day.start, day.end)),
      },
    ];
  });
  return [...figureClaims, ...dateClaims];
}

/** In a report about a test, the replaced score is the previous best. */
const isOfScores = (context: string) =>
  openMeasureCues(context)
    .of('percent')
    .some(({ name }) => name === 'score' || name === 'previous-best');

const isOfTokens = (measure: string | null) =>
  measure?.endsWith('tokens') === true || measure === 'context';

function figuresIn(
  cased: string,
  text: string,
  days: readonly DayMention[],
  versions: ReadonlySet<string>,
): readonly Figure[] {
  const isCorrecting = isCorrection(text);
  return readFigures(text)
    .map((figure) => applyNamedUnit(text, figure))
    .filter((figure) => {
      const isDay = days.some((day) => figure.start < day.end && day.start < figure.end);
      return !isDay && (isCorrecting || !isNameNumber(cased, figure, versions));
    });
}

const namedUnit =
  /\b(?:number of |in )(year|month|week|day|hour|minute)s\b|(年|月|周|天|小时|分钟)数/u;
const seconds: Readonly<Record<string, number>> = {
  year: 31_557_600,
  年: 31_557_600,
  month: 2_629_800,
  月: 2_629_800,
  week: 604_800,
  周: 604_800,
  day: 86_400,
  天: 86_400,
  hour: 3600,
  小时: 3600,
  minute: 60,
  分钟: 60,
};

/** "The deadline in days is 30" and 期限（天数）为30 count days. */
function applyNamedUnit(text: string, figure: Figure): Figure {
  if (figure.kind !== 'count' || figure.value >= 1000) return figure;
  const name = namedUnit.exec(text);
  const factor = seconds[name?.[1] ?? name?.[2] ?? ''];
  if (factor === undefined) return figure;
  const value = figure.value * factor;
  const half = 0.45 * factor;
  return { ...figure, kind: 'duration', value, low: value - half, high: value + half };
}

const measuredBy =
  /^[多余几]?[个名位家款项台块张座种人层篇条次起部颗辆枚架艘亿万口所间份例票国道卡]/u;

/** A version or a number in a name ("Skiff 2.5"), which counts nothing. */
function isNameNumber(cased: string, figure: Figure, versions: ReadonlySet<string>): boolean {
  const quoted = cased.slice(figure.start, figure.end).trim();
  if (figure.kind !== 'count' || (figure.value >= 1000 && !isModelSize(quoted))) return false;
  if (isInTitle(cased, figure.start)) return true;
  if (versions.has(quoted) || isAfterName(cased, figure.start)) return true;
  if (figure.value >= 1000) return false;
  const head = cased.slice(Math.max(0, figure.start - 24), figure.start);
  const isHan = /\p{sc=Han}\W*$/u.test(head) || /^\p{sc=Han}/u.test(cased.slice(figure.end));
  return isHan && !measuredBy.test(cased.slice(figure.end));
}

const perUnit = cue('per-unit');

/** The measure of each figure. Figures that change into each other have one measure. */
function measureFigures(
  text: string,
  figures: readonly Figure[],
  cues: MeasureCues,
): readonly (string | null)[] {
  const isCorrecting = isCorrection(text);
  const reach = isCorrecting ? 2.5 : 1;
  const nearest = figures.map((figure) =>
    nearestMeasure(text, { ...figure, reach }, cues, figures),
  );
  return figures.map((figure, index) => {
    const isPriced = figure.kind === 'money' && perUnit.test(text.slice(figure.end));
    if (isPriced) return 'price';
    const partners = [index - 1, index + 1].filter((other) => {
      const [first, second] = [figures[Math.min(index, other)], figures[Math.max(index, other)]];
      if (first === undefined || second === undefined || first.kind !== second.kind) return false;
      return isChange(text, first, second) || isChangeBack(text, first, second) || isCorrecting;
    });
    // "Fell to a record 12": the figure itself is not a record.
    const shared = partners.flatMap((other) => nearest[other] ?? []);
    const nearClaims = nearest[index] ?? [];
    const found = [nearClaims, shared.filter(({ name }) => name !== 'previous-best')].flat();
    const best = found.sort((a, b) => a.distance - b.distance)[0]?.name ?? null;
    const isRecord = nearest.every(
      (candidate) =>
        candidate?.name !== 'previous-best' ||
        candidate.distance >= (nearest[index]?.distance ?? 0),
    );
    if (best === 'previous-best' && !isRecord) return 'score';
    const isLeaving = best === 'staff' && isSingleJobCut(text, figure, figures, cues);
    return isLeaving ? 'jobs-cut' : best;
  });
}

/** "1,800 workers learned that they are out of a job": the only count of its sentence. */
function isSingleJobCut(
  text: string,
  figure: Figure,
  figures: readonly Figure[],
  cues: MeasureCues,
): boolean {
  const isAlone = figures.every((candidate) => candidate === figure || candidate.kind !== 'count');
  const isHeld = /\b(?:of (?:its|the|their)|employs?|has|with)\b/u.test(
    text.slice(0, figure.start),
  );
  return isAlone && !isHeld && cues.of('count').some(({ name }) => name === 'jobs-cut');
}

function correctionOf(
  text: string,
  figures: readonly Figure[],
  index: number,
  isCorrecting: boolean,
): Claim['correction'] {
  const figure = figures[index];
  if (figure === undefined) return null;
  if (isCorrecting) return { side: sideOf(text, figure), isExplicit: true };
  const next = figures.slice(index + 1).find((candidate) => candidate.kind === figure.kind);
  const last = figures.slice(0, index).findLast((candidate) => candidate.kind === figure.kind);
  if (next !== undefined && next.unit === figure.unit) {
    if (isChange(text, figure, next)) return { side: 'previous', isExplicit: false };
    if (isChangeBack(text, figure, next)) return { side: 'current', isExplicit: false };
  }
  if (last === undefined || last.unit !== figure.unit) return null;
  if (isChange(text, last, figure)) return { side: 'current', isExplicit: false };
  return isChangeBack(text, last, figure) ? { side: 'previous', isExplicit: false } : null;
}

type Stage = { readonly text: string; readonly isOther: boolean };

function scopesIn(measure: string, clause: FigureClause, { isOther }: Stage): readonly Scope[] {
  const found = new Set(scopesOf(measure, clause));
  if (isOther) found.add('past');
  return [...found].sort();
}

/** Names in the figure's clause. A name in a comparison is not the subject. */
const comparison = cue('comparison', 'isu');

function subjectsIn(cased: string, clause: FigureClause, start: number): Claim['subjects'] {
  const from = start - clause.at;
  const nearbyText = cased.slice(from, from + clause.near.length).replace(comparison, '');
  return findNames(nearbyText);
}

const clauseEnd =
  /;|\b(?:while|whereas|compared (?:with|to)|versus|vs\.?|but)\b|相比之下|而(?!且|非)|但/gu;

type Span = { readonly start: number; readonly end: number; readonly kind?: string };

/** The clause of a figure, from the figure of its kind before to the one after. */
function clauseOf(
  text: string,
  figure: Span,
  figures: readonly Span[],
  context: string,
): FigureClause {
  const ends = [...text.matchAll(clauseEnd)].map((match) => match.index);
  let start = Math.max(0, ...ends.filter((end) => end < figure.start));
  let end = Math.min(text.length, ...ends.filter((end) => end >= figure.end));
  for (const other of figures) {
    if (other.kind !== figure.kind) continue;
    if (other.end <= figure.start && other.end > start) {
      const comma = /[,，;、]/u.exec(text.slice(other.end, figure.start))?.index;
      start = other.end + (comma ?? 0);
    }
    if (other.start >= figure.end && other.start < end) {
      const comma = /[,，;、]/u.exec(text.slice(figure.end, other.start))?.index;
      end = comma === undefined ? other.start : figure.end + comma;
    }
  }
  const nearbyText = text.slice(start, end);
  return {
    near: nearbyText,
    at: figure.start - start,
    end: figure.end - start,
    sentence: text,
    context,
  };
}

/** The folded words with the spelling of the sentence. */
function originalSpelling(sentence: string, folded: string): string {
  const quoted = folded.trim();
  const escaped = [...quoted].map((char) => char.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  const pattern = new RegExp(
    escaped.map((char) => (char === ' ' ? '\\s' : char)).join('\\s?'),
    'iu',
  );
  return pattern.exec(sentence.normalize('NFKC'))?.[0] ?? quoted;
}

const bounds = { '': 'exact', '~': 'about', '≥': 'at_least', '≤': 'at_most' } as const;

function claimValue({ value, low, high, bound }: Figure): ClaimValue {
  const short = (value: number) => Number(value.toPrecision(8));
  return {
    kind: 'number',
    low: short(low),
    high: short(high),
    middle: short(value),
    bound: bounds[bound],
  };
}

/** A context of "up to 500,000 tokens" holds exactly as many. */
function exactValue(figure: Figure): ClaimValue {
  if (figure.bound !== '≤') return claimValue(figure);
  return claimValue({ ...figure, low: 2 * figure.value - figure.high, bound: '' });
}

function unitOf(figure: Figure): string | null {
  return figure.kind === 'count' ? null : (figure.unit ?? figure.kind);
}
