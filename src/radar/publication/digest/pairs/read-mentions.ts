// Every figure and time that a report states, with where it stands: what two reports are compared
// by, without knowing what any of it is of. Claims say what a figure is of; mentions do not.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { type Figure, readFigures } from '../../../language/read-figures.ts';
import { isChange, isChangeBack } from '../corrections.ts';
import type { DigestReport } from '../digest.ts';
import {
  followsName,
  isInTitle,
  isModelSize,
  versionsIn,
  wholeVersionsIn,
} from '../name-number.ts';
import { headOf } from './head-noun.ts';
import type { Mention } from './mention.ts';
import { readParts } from './read-parts.ts';
import { namesIn, readSentences, type Sentence, titleNames } from './read-sentences.ts';
import { readTimes, type TimeSpan } from './read-times.ts';
import { isShareAndGrowth } from './share-or-growth.ts';

const mostMentions = 60;

type Span = Omit<Figure, 'kind' | 'bound'> & { readonly kind: string; readonly bound: string };

/** In reading order, the title's first; at most 60. */
export function readMentions(report: DigestReport): readonly Mention[] {
  const about = titleNames(report);
  const found: Mention[] = [];
  let groups = 0;
  for (const sentence of readSentences(report)) {
    if (found.length >= mostMentions) break;
    if (!/\p{N}|[二两三四五六七八九十百千万亿半]|[a-z]{3}/u.test(sentence.text)) continue;
    for (const mention of mentionsIn(report, sentence, about)) {
      const twin = found.find((other) => isTwin(other, mention));
      found.push({ ...mention, group: twin?.group ?? groups++ });
    }
  }
  return found.slice(0, mostMentions);
}

function isTwin(a: Mention, b: Mention): boolean {
  if (a.kind !== b.kind || a.unit !== b.unit || a.low >= b.high || b.low >= a.high) return false;
  if (isShareAndGrowth(a, b)) return false;
  const isPlain = a.kind !== 'count' || b.value >= 1000 || a.at === 0 || b.at === 0;
  return isPlain || b.head.some((word) => a.head.includes(word));
}

function mentionsIn(report: DigestReport, sentence: Sentence, about: string): readonly Mention[] {
  const { written, cased, text, at, days, isRecalled } = sentence;
  const times = readTimes(text, report.at, days);
  const parts = readParts(text).filter(
    (one) =>
      !/^\p{Lu}/u.test(cased.slice(one.start)) &&
      ![...days, ...times].some((time) => one.start < time.end && time.start < one.end),
  );
  const taken = [...days, ...times, ...parts];
  const figures = summed(text, readFigures(text)).filter(
    (one) =>
      !isHalfRead(text, one) && !taken.some((time) => one.start < time.end && time.start < one.end),
  );
  const versions = versionsIn(report.title);
  const whole = wholeVersionsIn(report.title);
  const isOfPercent = figures.some((one) => one.kind === 'percent');
  const dates: readonly Span[] = days
    .filter(({ start }) => isDayOf(text, start))
    .map((day) => {
      const value = Date.parse(day.value);
      const bounds = { low: value - 0.6 * DAY_MS, high: value + 0.6 * DAY_MS, bound: '' };
      return { kind: 'date', unit: null, value, ...bounds, start: day.start, end: day.end };
    });
  const spans: readonly Span[] = [
    ...figures
      .filter((one) => isNumber(text, cased, one, versions) && !isVersion(text, one, whole))
      .map((one) => (isOfPercent && isElliptic(text, one) ? { ...one, kind: 'percent' } : one)),
    ...dates,
    ...parts,
    ...times.map((time: TimeSpan) => ({ ...time, unit: null })),
  ];
  if (spans.length === 0) return [];
  const isOld = [...dates, ...times].some(
    (one) => one.kind === 'date' && one.value < report.at - 6.5 * DAY_MS,
  );
  // A weekday is that of the news itself.
  const past = dates
    .filter(({ start, end }) => /\d/u.test(text.slice(start, end)))
    .map(({ value }) => value)
    .filter((day) => day < report.at - 1.6 * DAY_MS);
  const place = { report, written, sentence: text, cased, at, about, group: 0 };
  const rest = { ...place, isOld, isRecalled, days: past };
  const names = namesIn(sentence);
  return spans
    .filter((one) => one.kind !== 'zone' && !isOfTheDay(one, report.at))
    .map((one) => ({
      ...{ ...one, ...rest, names },
      // Tokens are counted like anything else: "400k" may be of them.
      ...(one.kind === 'tokens' ? { kind: 'count' } : {}),
      unit: one.kind === 'count' || one.kind === 'tokens' ? null : (one.unit ?? one.kind),
      head: headOfSpan(text, one),
      isFormer: isFormer(text, one, figures),
      clause: clauseOf(text, one),
    }));
}

/** "A day and a half", 三十二块五, "08.10 GMT" hold more than a figure says, or another thing. */
function isHalfRead(text: string, { start, end }: Figure): boolean {
  const rest = text.slice(end, end + 14);
  const isHour =
    /^\d{1,2}\.\d\d$/u.test(text.slice(start, end)) && /^ ?(?:gmt|utc|[ap]\.?m)\b/u.test(rest);
  return (
    isHour ||
    /^ and a (?:half|quarter)\b/u.test(rest) ||
    /块[一二三四五六七八九]$/u.test(text.slice(start, end + 1))
  );
}

/** "My Thursday" and "since Monday" are of whoever writes. */
const isDayOf = (text: string, start: number) => !/\b(?:my|since|of) $/u.test(text.slice(0, start));

function isFormer(text: string, span: Span, figures: readonly Figure[]): boolean {
  const at = figures.findIndex(({ start }) => start === span.start);
  const [last, own, next] = [figures[at - 1], figures[at], figures[at + 1]];
  if (own === undefined) return false;
  const isFrom = next?.kind === own.kind && isChange(text, own, next);
  return isFrom || (last?.kind === own.kind && isChangeBack(text, last, own));
}

function headOfSpan(text: string, { kind, end }: Span): readonly string[] {
  if (kind === 'tokens') return ['token'];
  if (kind === 'duration') {
    const of = /^ of (?:the |its |their )?(?=[a-z])/u.exec(text.slice(end))?.[0];
    return of === undefined ? [] : headOf(text, end + of.length);
  }
  return kind === 'count' || kind === 'rank' ? headOf(text, end) : [];
}

/** 三万二千 is one number. */
function summed(text: string, figures: readonly Figure[]): readonly Figure[] {
  const found: Figure[] = [];
  for (const figure of figures) {
    const last = found.at(-1);
    const isSum =
      last?.kind === 'count' &&
      last.end === figure.start &&
      /[万亿]$/u.test(text.slice(last.start, last.end)) &&
      figure.value < last.value;
    if (last === undefined || !isSum) found.push(figure);
    else {
      const [value, half] = [last.value + figure.value, figure.high - figure.value];
      const bounds = { value, low: value - half, high: value + half, start: last.start };
      found[found.length - 1] = { ...figure, ...bounds };
    }
  }
  return found;
}

/** The day of the report itself is when something was said. */
const isOfTheDay = (span: Span, at: number) =>
  span.kind === 'date' && Math.abs(span.value - at) < 1.6 * DAY_MS;

/** "71.8% … it falls to 38." */
function isElliptic(text: string, figure: Figure): boolean {
  if (figure.kind !== 'count') return false;
  const said = text.slice(figure.start, figure.end).trim();
  if (!/^\d{1,2}(?:\.\d+)?$/u.test(said)) return false;
  const isEnd = /^(?:[.,;]|$)/u.test(text.slice(figure.end).trim());
  return (said.includes('.') || isEnd) && headOf(text, figure.end).length === 0;
}

const classifiers = new RegExp(
  '^[个位名家款项台块张座种层篇条次起部颗辆枚架艘间份例只头株批套场支件笔人户根所' +
    '万亿余多几本集届票级]',
  'u',
);

const instantAfter =
  /^ ?(?:ago|earlier|later|before|after|from now|ahead|in advance)\b|^[之以]?[前后](?!悔)|^内?来/u;

/** 25分钟后恢复 and "restored 25 minutes later" say how long something was out. */
const restoredAfter =
  /^之?后(?:才|陆续|全部|逐步|基本|完全)?(?:恢复|修复|重新|复电|扑灭|结束|解除)/u;
const restoredBefore = new RegExp(
  '\\b(?:restored|resumed|recovered|reopened|extinguished|(?:back|put)' +
    ' (?:up|on|out|online))\\b[^.;]{0,30}$',
  'u',
);

const backAgain = new RegExp(
  '\\b(?:restored|resumed|reopened|extinguished|working again|(?:back|' +
    'up|on) again|(?:was|were|came|is|are) back)\\b',
  'u',
);

/** "Two years ago" and 三个月后 say when, 上半年 names a part of a year. */
function isInstant(text: string, figure: Figure): boolean {
  const tail = text.slice(figure.end, figure.end + 12);
  if (restoredAfter.test(tail)) return false;
  // 住了二百零一天之后, "five hours after it had gone out, the light was back".
  if (/^之?后/u.test(tail) && /[了经过历时长达]$/u.test(text.slice(0, figure.start))) return false;
  if (/^ after\b/u.test(tail) && backAgain.test(text)) return false;
  if (/^ later\b/u.test(tail) && restoredBefore.test(text.slice(0, figure.start))) return false;
  const isHalf =
    /^半年/u.test(text.slice(figure.start)) && /[上下]$/u.test(text.slice(0, figure.start));
  // 将于三个月后施行 says how long is left.
  const isAhead =
    /^之?后/u.test(tail) && /将[于在]?[^，。,;]{0,4}$/u.test(text.slice(0, figure.start));
  if (isAhead) return false;
  return isHalf || instantAfter.test(tail);
}

/** "Moved it to 2 on Tuesday", where the title names version 2. */
function isVersion(text: string, figure: Figure, whole: ReadonlySet<string>): boolean {
  const { kind, start, end } = figure;
  const isBare = kind === 'count' && whole.has(text.slice(start, end).trim());
  return isBare && headOf(text, end).length === 0;
}

/** Not a version, an ordinal, a list's number, nor a numeral inside a name. */
function isNumber(
  text: string,
  cased: string,
  figure: Figure,
  versions: ReadonlySet<string>,
): boolean {
  if (figure.kind === 'duration') return !isInstant(text, figure);
  if (figure.kind !== 'count') return true;
  const said = text.slice(figure.start, figure.end).trim();
  const head = text.slice(Math.max(0, figure.start - 6), figure.start);
  const tail = text.slice(figure.end).trimStart();
  if (isInTitle(cased, figure.start)) return false;
  if (figure.value < 1000 || isModelSize(said)) {
    if (versions.has(said) || followsName(cased, figure.start)) return false;
  }
  if (figure.value < 1000) {
    // 拾阶2.2 is a version, 得分93.5 a figure.
    const isBare = /^[\d.]+$/u.test(said) && !classifiers.test(tail);
    if (isBare && /[\p{sc=Han})] ?$/u.test(head) && !measures.test(head)) return false;
  }
  if (/^[百千零]百?$/u.test(said) || /[+第每]$/u.test(head)) return false;
  const isHan = /^\p{sc=Han}+$/u.test(said) && !/[万亿千百十]/u.test(said.slice(1));
  if (isHan && !classifiers.test(tail)) return false;
  if (/^\d/u.test(said) && /^(?:月|日|号|点|时|折|期|代|线|楼|届|路|环|g\b|nm\b)/u.test(tail))
    return false;
  if (
    /(?:\bper|\beach|\bevery|\ba|\/) ?$/u.test(head) &&
    /^(?:1 )?(?:million|thousand|百万)/u.test(said)
  )
    return false;
  const isItem = /^(?:one|two|three|four|five|six|seven|eight|nine|ten)$/u.test(said);
  return !(isItem && /^[,.:]/u.test(tail));
}

const measures = /[为达至到超约近逾过得分率共仅有是比在数量以从由于]$/u;

const clauseEnd = /[;,:，；：。(（)）]|\b(?:while|whereas|but|and)\b|而(?!且|非)|但/gu;

function clauseOf(text: string, span: Span): readonly [number, number] {
  let start = 0;
  for (const match of text.matchAll(clauseEnd)) {
    const isInNumber =
      match[0] === ',' &&
      /\d,$/u.test(text.slice(0, match.index + 1)) &&
      /^,\d/u.test(text.slice(match.index));
    if (isInNumber) continue;
    if (match.index >= span.end) return [start, match.index];
    if (match.index < span.start) start = match.index + match[0].length;
  }
  return [start, text.length];
}
