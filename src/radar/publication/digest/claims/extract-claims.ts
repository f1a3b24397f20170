// The claims of one report: every figure and day that it states, its measure, its scopes, and
// whether the sentence corrects an earlier figure. Pure, so that claims are stored per revision.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { cuePattern } from '../../../language/cues.ts';
import { foldCased } from '../../../language/fold-cased.ts';
import { type DayMention, readDays } from '../../../language/read-dates.ts';
import { type Figure, readFigures } from '../../../language/read-figures.ts';
import type { Claim, ClaimValue, DigestReport } from '../digest.ts';
import { findNames, isCommonWord } from './find-names.ts';
import { type MeasureCues, nearestMeasure, openMeasureCues } from './measures.ts';
import { plainSentences } from './plain-sentences.ts';
import { isChange, isChangeBack, isCorrection, sideOf } from './read-corrections.ts';
import { type FigureClause, scopesOf } from './scopes.ts';

const MAX_CLAIMS = 60;
/** News stands at the beginning; later figures are background. */
const MAX_SENTENCES = 24;
const LONGEST_SENTENCE = 600;

const mayState = cuePattern('figure', 'iu');

type SentenceInput = {
  readonly report: DigestReport;
  readonly written: string;
  readonly position: number;
};

/** In reading order; figures of the title come first. */
export function extractClaims(report: DigestReport): readonly Claim[] {
  const title = report.title.replace(/\s+/gu, ' ').trim();
  const texts = plainSentences(report).slice(0, MAX_SENTENCES);
  const claims = [title, ...texts].flatMap((text, position) => {
    const shortText = text.slice(0, LONGEST_SENTENCE);
    if (!mayState.test(shortText)) return [];
    return extractSentenceClaims({ report, written: shortText, position });
  });
  return claims.slice(0, MAX_CLAIMS);
}

function extractSentenceClaims({ report, written, position }: SentenceInput): readonly Claim[] {
  const cased = foldCased(written);
  const text = cased.toLowerCase();
  const days = readDays(text, report.at);
  const isCorrecting = isCorrection(text);
  const figures = findFigures(cased, days, isCorrecting);
  if (figures.length === 0 && days.length === 0) return [];
  const cues = openMeasureCues(text);
  const isPast = isBackground(text, days, report.at);
  const claimOf = (span: Span, stated: StatedValue): Claim => {
    const clause = clauseOf(text, span);
    const scopes = scopesOf(stated.measure ?? '', clause);
    const clauseStart = span.start - clause.at;
    return {
      ...stated,
      scopes: [...new Set(isPast ? [...scopes, 'past'] : scopes)].sort(),
      subjects: findNames(cased.slice(clauseStart, clauseStart + clause.near.length)),
      quote: originalSpelling(written, text.slice(span.start, span.end)),
      sentence: written,
      position,
      reportId: report.id,
      at: report.at,
    };
  };
  const measures = measureFigures(text, figures, cues, isCorrecting);
  const figureClaims = figures.flatMap((figure, index): readonly Claim[] => {
    const measure = measures[index] ?? null;
    if (measure === null && figure.kind === 'count') return [];
    const unit = figure.kind === 'count' && isOfTokens(measure) ? 'tokens' : unitOf(figure);
    const correction = correctionOf(text, figures, index, isCorrecting);
    return [claimOf(figure, { measure, value: claimValue(figure), unit, correction })];
  });
  const dateClaims = days.flatMap((day): readonly Claim[] => {
    const measure = nearestMeasure(text, { ...day, kind: 'date' }, cues);
    if (measure === null || measure.distance > 30) return [];
    const value = { kind: 'day', day: day.value } as const;
    const correction = isCorrecting ? { side: sideOf(text, day), isExplicit: true } : null;
    return [claimOf(day, { measure: measure.name, value, unit: 'day', correction })];
  });
  return [...figureClaims, ...dateClaims];
}

type StatedValue = Pick<Claim, 'measure' | 'value' | 'unit' | 'correction'>;
type Span = { readonly start: number; readonly end: number };

/** Background, such as "The move comes after … on 3 May": its figures belong to another event. */
const isBackground = (text: string, days: readonly DayMention[], at: number) =>
  recalled.test(text) && days.some((day) => Date.parse(day.value) < at - RECALLED_MS);
const recalled = cuePattern('recalled-of-a-day');
const RECALLED_MS = 1.6 * DAY_MS;

const isOfTokens = (measure: string | null) =>
  measure?.endsWith('tokens') === true || measure === 'context';

function findFigures(
  cased: string,
  days: readonly DayMention[],
  isCorrecting: boolean,
): readonly Figure[] {
  const text = cased.toLowerCase();
  return readFigures(text)
    .map((figure) => applyNamedUnit(text, figure))
    .filter((figure) => {
      const isDay = days.some((day) => figure.start < day.end && day.start < figure.end);
      return !isDay && (isCorrecting || !isNameNumber(cased, figure));
    });
}

const namedUnit =
  /\b(?:number of |in )(year|month|week|day|hour|minute)s\b|(年|月|周|天|小时|分钟)数/u;

/** "The deadline in days is 30" and 期限（天数）为30 count days. */
function applyNamedUnit(text: string, figure: Figure): Figure {
  const name = figure.kind === 'count' && figure.value < 1000 ? namedUnit.exec(text) : null;
  if (name === null) return figure;
  const unit = name[1] ?? name[2]?.replace('月', '个月') ?? '';
  const factor = readFigures(`1 ${unit}`)[0]?.value ?? 1;
  const value = figure.value * factor;
  const half = 0.45 * factor;
  return { ...figure, kind: 'duration', value, low: value - half, high: value + half };
}

const behindName = /(\p{Lu}[\p{L}\p{N}.-]*)(?<version> \d[\p{L}\d.]{0,6})?[ -]?$/u;

/** A version or a number in a name ("Skiff 2.5"), which counts nothing. */
function isNameNumber(cased: string, { kind, value, start }: Figure): boolean {
  if (kind !== 'count' || value >= 1000) return false;
  // A count is a whole number, so a fraction belongs to a name: 松烟 2.5. The check below needs
  // capitals, which Chinese names lack.
  if (!Number.isInteger(value)) return true;
  const name = behindName.exec(cased.slice(Math.max(0, start - 32), start))?.[1];
  return name !== undefined && !isCommonWord(name);
}

/** The measure of each figure. Figures that change into each other have one measure. */
function measureFigures(
  text: string,
  figures: readonly Figure[],
  cues: MeasureCues,
  isCorrecting: boolean,
): readonly (string | null)[] {
  const nearest = figures.map((figure) => nearestMeasure(text, figure, cues));
  return figures.map((_, index) => {
    const partners = [index - 1, index + 1].filter((other) => {
      const [first, second] = [figures[Math.min(index, other)], figures[Math.max(index, other)]];
      if (first === undefined || second === undefined || first.kind !== second.kind) return false;
      return isChange(text, first, second) || isChangeBack(text, first, second) || isCorrecting;
    });
    const shared = partners.flatMap((other) => nearest[other] ?? []);
    // "From 67% to 54.5%": the score itself is not the previous best.
    const candidates = [
      nearest[index] ?? [],
      shared.filter(({ name }) => name !== 'previous-best'),
    ];
    return candidates.flat().sort((a, b) => a.distance - b.distance)[0]?.name ?? null;
  });
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

const clauseEnd =
  /;|\b(?:while|whereas|compared (?:with|to)|versus|vs\.?|but)\b|相比之下|而(?!且|非)|但/gu;

function clauseOf(text: string, figure: Span): FigureClause {
  const ends = [...text.matchAll(clauseEnd)].map((match) => match.index);
  const start = Math.max(0, ...ends.filter((end) => end < figure.start));
  const end = Math.min(text.length, ...ends.filter((end) => end >= figure.end));
  return {
    near: text.slice(start, end),
    at: figure.start - start,
    end: figure.end - start,
    sentence: text,
  };
}

const syntax = /[.*+?^${}()|[\]\\]/u;

/** The folded words with the spelling of the sentence. */
function originalSpelling(sentence: string, folded: string): string {
  const quoted = folded.trim();
  const characters = [...quoted].map((char) =>
    char === ' ' ? '\\s' : char.replace(syntax, '\\$&'),
  );
  const pattern = new RegExp(characters.join('\\s?'), 'iu');
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

function unitOf(figure: Figure): string | null {
  return figure.kind === 'count' ? null : (figure.unit ?? figure.kind);
}
