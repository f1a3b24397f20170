// The claims of one report: every figure and day it states, what of, about whom, and whether it
// takes an earlier one back. Pure, so that they can be kept per revision of an item.

import { DAY_MS } from '../../../kernel/time/durations.ts';
import { cue } from '../../language/cues.ts';
import { readDays } from '../../language/read-dates.ts';
import { type Figure, readFigures } from '../../language/read-figures.ts';
import { type CuedKind, type Cues, nearestAttribute, openCues } from './attributes.ts';
import { isChange, isChangeBack, isCorrection, sideOf } from './corrections.ts';
import { countedNoun } from './counted-noun.ts';
import type { Claim, DigestReport } from './digest.ts';
import { anchorOf, findNames, isVariant, type Names, testIn } from './find-names.ts';
import { foldCased } from './fold-cased.ts';
import { followsName, isInTitle, isModelSize, versionsIn } from './name-number.ts';
import { plainSentences } from './plain-sentences.ts';
import { isRecalled } from './recalled.ts';
import { type Clause, scopeOf } from './scope-of.ts';

const mostClaims = 80;
const longestSentence = 600;

/** What a sentence with a figure or a day in it must hold. */
const mayState = new RegExp(
  '\\p{N}|[二三四五六七八九十百千万亿半昨]|[a-z]{3}day\\b|' +
    '\\b(?:an?|half|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[ -]|' +
    '\\b(?:dozens?|\\w+teen|\\w+ty)[ -]|' +
    '\\b(?:dozen|hundred|million|billion)',
  'iu',
);

/** In reading order, the title's first; at most 80. */
export function claimsOf(report: DigestReport): readonly Claim[] {
  const title = report.title.replace(/\s+/gu, ' ').trim().slice(0, longestSentence);
  const texts = plainSentences(report).map((sentence) => sentence.text);
  const about = anchorOf(findNames(title.normalize('NFKC')));
  const opening = withWeak(about, findNames((texts[0] ?? '').normalize('NFKC')));
  const context = fold(`${title} ${texts[0] ?? ''}`.slice(0, longestSentence));
  const found: Claim[] = [];
  for (const text of [title, ...texts]) {
    if (found.length >= mostClaims) break;
    if (!mayState.test(text)) continue;
    found.push(
      ...claimsIn(report, { text: text.slice(0, longestSentence), about, opening, context }),
    );
  }
  return found.slice(0, mostClaims);
}

/** Whom a report opens with shows that a sentence may be about them, never that it is not. */
function withWeak(about: string, { strong, weak }: Names): string {
  const own = about.split(' ').filter((name) => name !== '');
  const named = own.filter((name) => !isVariant(name)).map((name) => name.replace(/^~/u, ''));
  const added = [...strong, ...weak].filter((name) => !named.includes(name) && !isVariant(name));
  const all = [...named, ...added].map((name) => `~${name}`);
  return [...own.filter(isVariant), ...all].slice(0, 12).join(' ');
}

function fold(text: string): string {
  return foldCased(text).toLowerCase();
}

const namedUnit =
  /\b(?:number of |in )(year|month|week|day|hour|minute)s\b|(年|月|周|天|小时|分钟)数/u;
const seconds: Readonly<Record<string, number>> = {
  ...{ year: 31_557_600, month: 2_629_800, week: 604_800, day: 86_400, hour: 3600, minute: 60 },
  ...{ 年: 31_557_600, 月: 2_629_800, 周: 604_800, 天: 86_400, 小时: 3600, 分钟: 60 },
};

/** "The deadline in days is 30" and 期限（天数）为30 are of days. */
function inNamedUnit(text: string, figure: Figure): Figure {
  if (figure.kind !== 'count' || figure.value >= 1000) return figure;
  const name = namedUnit.exec(text);
  const factor = seconds[name?.[1] ?? name?.[2] ?? ''];
  if (factor === undefined) return figure;
  const value = figure.value * factor;
  const half = 0.45 * factor;
  return { ...figure, kind: 'duration', value, low: value - half, high: value + half };
}

const measured =
  /^[多余几]?[个名位家款项台块张座种人层篇条次起部颗辆枚架艘亿万口所间份例票国道卡]/u;

/** A version or a number in a name ("Skiff 2.5", 渡影3), which counts nothing. */
function isNameNumber(cased: string, figure: Figure, versions: ReadonlySet<string>): boolean {
  const said = cased.slice(figure.start, figure.end).trim();
  if (figure.kind !== 'count' || (figure.value >= 1000 && !isModelSize(said))) return false;
  if (isInTitle(cased, figure.start)) return true;
  if (versions.has(said) || followsName(cased, figure.start)) return true;
  if (figure.value >= 1000) return false;
  const head = cased.slice(Math.max(0, figure.start - 24), figure.start);
  const isHan = /\p{sc=Han}\W*$/u.test(head) || /^\p{sc=Han}/u.test(cased.slice(figure.end));
  return isHan && !measured.test(cased.slice(figure.end));
}

const perUnit = cue('per-unit');

/** "After a year of hearings" says how long something else took. */
const isWhile = (text: string, { kind, start, end }: Figure) =>
  kind === 'duration' &&
  /\bafter (?:about |some |nearly )?$/u.test(text.slice(0, start)) &&
  /^ of /u.test(text.slice(end));

type Stage = {
  readonly text: string;
  /** Whom the title names; whom it and the first sentence name. */
  readonly about: string;
  readonly opening: string;
  readonly context: string;
};

function claimsIn(report: DigestReport, stage: Stage): readonly Claim[] {
  const text = fold(stage.text);
  const days = readDays(text, report.at);
  const cased = foldCased(stage.text);
  const isCorrecting = isCorrection(text);
  const isOther = isRecalled(text, days, report.at);
  const versions = versionsIn(report.title);
  const figures = readFigures(text)
    .map((one) => inNamedUnit(text, one))
    .filter(
      (figure) =>
        !days.some((day) => figure.start < day.end && day.start < figure.end) &&
        !isWhile(text, figure) &&
        (isCorrecting || !isNameNumber(cased, figure, versions)),
    );
  if (figures.length === 0 && days.length === 0) return [];
  const cues = openCues(text);
  const base = { at: report.at, reportId: report.id, sentence: stage.text };
  const claims: Claim[] = [];
  const named = nameFigures(text, figures, cues);
  for (const [index, figure] of figures.entries()) {
    const isPriced = figure.kind === 'money' && perUnit.test(text.slice(figure.end));
    const own = isPriced ? 'price' : nameOf(text, figure, named[index] ?? null);
    const name = own === 'staff' && isLeaving(text, figure, figures, cues) ? 'jobs-cut' : own;
    // A bare number of nothing known is no claim: it may be a version or a street.
    if (name === null && figure.kind === 'count') continue;
    const isTokens = figure.kind === 'count' && (name?.endsWith('tokens') || name === 'context');
    if (isTokens && figure.value < 1000) continue;
    const clause = clauseOf(text, figure, figures, stage.context);
    const scope = withPast(scopeOf(name ?? '', clause), isOther);
    const turn = sideIn(text, figures, index, isCorrecting);
    // "Up from 1.7 billion a year earlier" takes nothing back.
    const side = scope.includes('past') && /#(?:from|to)/u.test(turn) ? '' : turn;
    const isPeople = name === 'people';
    const hints = hintsOf(stage.context, figure.kind);
    const isScore = name === 'score' || (name === null && hints.includes('score'));
    const isFormer = isScore && side === '#from';
    const root = isFormer
      ? 'previous-best'
      : isPeople
        ? '?people:'
        : (name ?? `?${figure.kind}:${hints.join(',')}`);
    const span = isSpanned.has(root) ? spanOf(text, figures) : '';
    if (span !== '') scope.unshift(span);
    const marks = side === '' ? scope : scope.filter((mark) => mark !== 'past');
    claims.push({
      ...base,
      anchor:
        anchorIn(stage, clause) +
        (isTested.has(root) || /^\?p/u.test(root) ? testOf(cased, clause, figure) : ''),
      attribute:
        [root, ...marks, ...dated(text, days, report.at)].join('@') + (isFormer ? '' : side),
      value: encoded(figure),
      unit: isTokens ? 'tokens' : unitOf(figure),
      said: asWritten(stage.text, text.slice(figure.start, figure.end)),
    });
  }
  return [...claims, ...claimsOfDays(text, stage, days, base)];
}

/** "1,800 workers learned that they are out of a job": the only number of its sentence. */
function isLeaving(text: string, figure: Figure, figures: readonly Figure[], cues: Cues): boolean {
  const isAlone = figures.every((one) => one === figure || one.kind !== 'count');
  const isHeld = /\b(?:of (?:its|the|their)|employs?|has|with)\b/u.test(
    text.slice(0, figure.start),
  );
  return isAlone && !isHeld && cues.of('count').some(({ name }) => name === 'jobs-cut');
}

type Base = Pick<Claim, 'at' | 'reportId' | 'sentence'>;

function claimsOfDays(
  text: string,
  stage: Stage,
  days: ReturnType<typeof readDays>,
  base: Base,
): readonly Claim[] {
  const cues = openCues(text);
  const isCorrecting = isCorrection(text);
  const isOther = isRecalled(text, days, base.at);
  const claims: Claim[] = [];
  for (const day of days) {
    const name = nearestAttribute(text, { ...day, kind: 'date' }, cues, days);
    if (name === null || name.distance > 30) continue;
    const clause = clauseOf(text, day, days, stage.context);
    const side = isCorrecting ? `#${sideOf(text, day)}` : '';
    claims.push({
      ...base,
      anchor: anchorIn(stage, clause),
      attribute:
        [name.name, ...withPast(scopeOf(name.name, clause), isOther), `on:${day.value}`].join('@') +
        side,
      value: day.value,
      unit: 'day',
      said: asWritten(stage.text, text.slice(day.start, day.end)),
    });
  }
  return claims;
}

const withPast = (scope: readonly string[], isOther: boolean): string[] =>
  isOther && !scope.includes('past') ? [...scope, 'past'] : [...scope];

/** The day a sentence names, by which the story knows whether it tells of something older. */
function dated(text: string, days: ReturnType<typeof readDays>, at: number): readonly string[] {
  const [day, ...more] = days;
  if (day === undefined || more.length > 0) return [];
  // "On Monday" is the day of the news itself, though the story is told from Wednesday on.
  const isNumbered = /\d/u.test(text.slice(day.start, day.end));
  const isLately = Date.parse(day.value) > at - 4 * DAY_MS;
  return isLately && !isNumbered ? [] : [`on:${day.value}`];
}

/** Figures that change into each other are of one thing. */
function nameFigures(
  text: string,
  figures: readonly Figure[],
  cues: Cues,
): readonly (string | null)[] {
  // A sentence that corrects a figure is of that figure from its first word on.
  const reach = isCorrection(text) ? 2.5 : 1;
  const near = figures.map((one) => nearestAttribute(text, { ...one, reach }, cues, figures));
  return near.map((own, index) => {
    const figure = figures[index];
    const partners = [index - 1, index + 1].filter((other) => {
      const one = figures[Math.min(index, other)];
      const two = figures[Math.max(index, other)];
      const isAlike = one !== undefined && two !== undefined && one.kind === two.kind;
      return (
        isAlike && (isChange(text, one, two) || isChangeBack(text, one, two) || isCorrection(text))
      );
    });
    const all = [own, ...partners.map((other) => near[other] ?? null)].filter((n) => n !== null);
    const best = all.reduce<(typeof all)[0] | null>(
      (least, one) => (least === null || one.distance < least.distance ? one : least),
      null,
    );
    return figure === undefined ? null : (best?.name ?? null);
  });
}

function sideIn(
  text: string,
  figures: readonly Figure[],
  index: number,
  isCorrecting: boolean,
): '' | '#was' | '#now' | '#from' | '#to' {
  const figure = figures[index];
  if (figure === undefined) return '';
  if (isCorrecting) return `#${sideOf(text, figure)}`;
  const next = figures.slice(index + 1).find((one) => one.kind === figure.kind);
  const last = figures.slice(0, index).findLast((one) => one.kind === figure.kind);
  if (next !== undefined && next.unit === figure.unit) {
    if (isChange(text, figure, next)) return '#from';
    if (isChangeBack(text, figure, next)) return '#to';
  }
  if (last === undefined || last.unit !== figure.unit) return '';
  return isChange(text, last, figure) ? '#to' : isChangeBack(text, last, figure) ? '#from' : '';
}

/** What the report's title and first sentence are about, for figures that stand alone. */
function hintsOf(context: string, kind: CuedKind): readonly string[] {
  const names = openCues(context)
    .of(kind)
    .map((cue) => cue.name);
  return [...new Set(names)].slice(0, 6);
}

function testOf(cased: string, clause: Clause, figure: Figure): string {
  const start = figure.start - clause.at;
  return testIn(cased.slice(start, start + clause.near.length), clause.at, clause.end);
}

/** Its attribute, or the noun it counts; "16 at once" are no tokens. */
function nameOf(text: string, figure: Figure, name: string | null): string | null {
  if (figure.kind !== 'count' || figure.value < 3) return name;
  const isNoContext = name === 'context' && figure.value < 1000;
  return name === null || isNoContext ? countedNoun(text, figure.end) : name;
}

/** What is measured over a time is another thing over another time. */
const isSpanned = new Set(['response', 'decline']);
const overTime = cue('over-time');
const month = 2_629_800;

/** `over-12m` where a sentence says over which time; empty where it does not. */
function spanOf(text: string, figures: readonly Figure[]): string {
  if (/\b(?:year one|(?:first|one) year)\b|首年|第一年/u.test(text)) return 'over-12m';
  const span = figures.find((figure) => {
    const head = text.slice(Math.max(0, figure.start - 24), figure.start);
    const isAfter = overTime.test(head);
    return figure.kind === 'duration' && figure.value > month / 2 && isAfter;
  });
  return span === undefined ? '' : `over-${Math.round(span.value / month)}m`;
}

const isTested = new Set(['score', 'previous-best', 'gain']);

/** Whom something is only compared with is not whom it is about. */
const comparison = cue('comparison', 'isu');

function anchorIn(stage: Stage, clause: Clause): string {
  const written = stage.text.normalize('NFKC');
  const at = Math.max(0, written.toLowerCase().indexOf(clause.near.slice(0, 24)));
  const own = anchorOf(
    findNames(written.slice(at, at + clause.near.length + 4).replace(comparison, '')),
  );
  if (own !== '') return withVariant(own, stage.about);
  const whole = anchorOf(findNames(written));
  return whole === '' ? stage.opening : withVariant(whole, stage.about);
}

/** Whoever writes of Rivet Max may call it Rivet further down. */
function withVariant(anchor: string, about: string): string {
  const [names, title] = [anchor.split(' '), about.split(' ')];
  const added = title.filter((name) => isVariant(name) && !names.includes(name));
  const isShared = title.some((name) => names.includes(name) && !isVariant(name));
  return added.length === 0 || !isShared ? anchor : `${anchor} ${added.join(' ')}`;
}

const clauseEnd =
  /;|\b(?:while|whereas|compared (?:with|to)|versus|vs\.?|but)\b|相比之下|而(?!且|非)|但/gu;

/** The clause of a figure, from the figure of its kind before to the one after. */
function clauseOf(
  text: string,
  figure: { readonly start: number; readonly end: number; readonly kind?: string },
  figures: readonly { readonly start: number; readonly end: number; readonly kind?: string }[],
  context: string,
): Clause {
  const ends = [...text.matchAll(clauseEnd)].map((match) => match.index);
  let start = Math.max(0, ...ends.filter((end) => end < figure.start));
  let end = Math.min(text.length, ...ends.filter((one) => one >= figure.end));
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
  const near = text.slice(start, end);
  const sentence = text;
  return { near, at: figure.start - start, end: figure.end - start, sentence, context };
}

/** What was folded for reading, as it stands in the sentence. */
function asWritten(sentence: string, folded: string): string {
  const said = folded.trim();
  const escaped = [...said].map((char) => char.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  const pattern = new RegExp(
    escaped.map((char) => (char === ' ' ? '\\s' : char)).join('\\s?'),
    'iu',
  );
  return pattern.exec(sentence.normalize('NFKC'))?.[0] ?? said;
}

/** `4.8e8|4.75e8..4.85e8`: the value, and what a reader may take it for. */
function encoded(figure: Figure): string {
  const short = (value: number) => String(Number(value.toPrecision(8)));
  return `${figure.bound}${short(figure.value)}|${short(figure.low)}..${short(figure.high)}`;
}

function unitOf(figure: Figure): string | null {
  return figure.kind === 'count' ? null : (figure.unit ?? figure.kind);
}
