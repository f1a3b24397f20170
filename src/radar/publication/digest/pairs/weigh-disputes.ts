// Which contradictions a story states in the end: those whose figures stand alike in their reports,
// whatever they are of, and of those that claims alone show, the ones that the same score, or a
// second owner, does not speak against.
import { DAY_MS } from '../../../../kernel/time/durations.ts';
import { readAttribute } from '../compare-claims.ts';
import type { DigestReport, OwnedClaim } from '../digest.ts';
import type { Dispute, Supersession } from '../disputes.ts';
import type { BackedPair } from './back-pairs.ts';
import { contextOf, formerMark } from './context.ts';
import type { Mention } from './mention.ts';
import { barFor, leastFor, someReports, weighPairs } from './weigh-pairs.ts';
import { wordDisputes } from './word-disputes.ts';

export type Standing = {
  readonly claims: readonly OwnedClaim[];
  readonly disputes: readonly Dispute[];
  readonly supersessions: readonly Supersession[];
};

export function weighDisputes(
  { claims, disputes, supersessions }: Standing,
  reports: readonly DigestReport[],
): readonly Dispute[] {
  if (new Set(reports.map((report) => report.owner)).size < 2) return [];
  const pairs = weighPairs(reports);
  const read = new Set(someReports(reports).map((report) => report.id));
  const least = leastFor(reports);
  const kept = disputes.filter(
    (one) => isBacked(one, reports) || isBorneOut(one, pairs, read, least),
  );
  const changed = supersessions.filter(({ now }) => now.every(isTurn));
  const taken = [
    ...supersessions
      .filter((one) => !changed.includes(one))
      .flatMap((one) => [...one.was, ...one.now]),
    ...claims.filter((claim) => readAttribute(claim.attribute).isCorrection),
  ];
  // What a thing was before it changed may be told in two ways like anything else.
  const turned = [
    ...changed.flatMap((one) => [...one.was, ...one.now]),
    ...claims.filter((claim) => readAttribute(claim.attribute).side !== null),
  ];
  const told = kept.flatMap((one) => one.sides.flat());
  const bar = barFor(reports);
  const strong = pairs.filter(({ a, b, score }) => {
    // What both tell of long ago is background, and seldom of one thing.
    if (score <= bar || (a.isOld && b.isOld) || arePastDays(a, b)) return false;
    const isIn = (list: readonly OwnedClaim[], mention: Mention) =>
      list.some((claim) => isOf(claim, mention));
    const areFormer = [a, b].every((one) => contextOf(one).near.has(formerMark));
    const closed = areFormer ? taken : [...taken, ...turned];
    const isTaken = isIn(closed, a) || isIn(closed, b);
    const isTold = isIn(told, a) || isIn(told, b);
    return !isTaken && !isTold && !kept.some((one) => states(one, a) && states(one, b));
  });
  const figures = matters(strong).map((matter) => disputeOf(matter, claims));
  return [...kept, ...figures, ...wordDisputes(someReports(reports))];
}

/** Two days that are past, told in two languages: nothing shows that they are of one thing. */
const arePastDays = (a: Mention, b: Mention) =>
  a.kind === 'date' &&
  a.report.language !== b.report.language &&
  [a, b].every(({ value, report }) => value < report.at - 3 * DAY_MS);

const isTurn = ({ attribute }: OwnedClaim) => /#(?:from|to)$/u.test(attribute);

/** Two owners who give the same number are believed to speak of the same. */
function isBacked({ sides }: Dispute, reports: readonly DigestReport[]): boolean {
  const contested = new Set(sides.flat().map((claim) => claim.reportId));
  return sides.some((side) =>
    side.some((claim) => {
      const isOther = (report: DigestReport) => report.owner !== claim.report.owner;
      if (side.some((other) => isOther(other.report))) return true;
      const number = /\d[\d.,]*\d/u.exec(claim.said)?.[0];
      if (number === undefined) return false;
      return reports.some(
        (report) =>
          isOther(report) &&
          !contested.has(report.id) &&
          statesNumber(`${report.title}\n${report.text}`, number),
      );
    }),
  );
}

function statesNumber(text: string, number: string): boolean {
  const at = text.indexOf(number);
  const isPart = /[\d.,]\d*$/u.test(text.slice(Math.max(0, at - 2), at));
  return at >= 0 && !isPart && !/^[.,]?\d/u.test(text.slice(at + number.length));
}

function isBorneOut(
  { sides }: Dispute,
  pairs: readonly BackedPair[],
  read: ReadonlySet<string>,
  least: number,
): boolean {
  const claims = sides.flat();
  const isUnread = claims.some((claim) => !read.has(claim.reportId));
  if (isUnread || isInTwoCurrencies(claims)) return true;
  return pairs.some(({ a, b, score }) => {
    const isIt = (mention: Mention) => claims.some((claim) => isOf(claim, mention));
    // Words of two languages are not compared; what the claims know counts for more there.
    const isOneLanguage = a.report.language === b.report.language;
    return score > least - (isOneLanguage ? 0 : 1.8) && isIt(a) && isIt(b);
  });
}

/** Sums in two currencies are compared by claims alone. */
function isInTwoCurrencies(claims: readonly OwnedClaim[]): boolean {
  const isYuan = ({ said }: OwnedClaim) =>
    /yuan|rmb|[元块]/iu.test(said) && !/[美欧日港]元/u.test(said);
  const isMoney = ({ unit }: OwnedClaim) => unit !== null && /^[A-Z]{3}$/u.test(unit);
  return claims.every(isMoney) && new Set(claims.map(isYuan)).size > 1;
}

const numberOf = (claim: OwnedClaim) => {
  const match = /^[~≥≤]?(-?[\d.e+-]+)\|/u.exec(claim.value);
  return match === null ? Date.parse(claim.value) : Number(match[1]);
};

function isOf(claim: OwnedClaim, mention: Mention): boolean {
  return claim.reportId === mention.report.id && isSameValue(claim, mention);
}

function isSameValue(claim: OwnedClaim, mention: Mention): boolean {
  const gap = Math.abs(numberOf(claim) - mention.value);
  const isDay = claim.unit === 'day';
  return isDay === (mention.kind === 'date') && gap <= (isDay ? 0 : 0.01 * Math.abs(mention.value));
}

/** Whether a dispute is about the mention's value already, in whatever words. */
const states = ({ sides }: Dispute, mention: Mention) =>
  sides.flat().some((claim) => isSameValue(claim, mention));

/** Pairs that share a figure are of one matter. */
function matters(pairs: readonly BackedPair[]): readonly (readonly BackedPair[])[] {
  const found: BackedPair[][] = [];
  const key = ({ report, group }: Mention) => `${report.id} ${group}`;
  for (const pair of pairs.toSorted((one, two) => two.score - one.score)) {
    const keys = new Set([key(pair.a), key(pair.b)]);
    const home = found.find((matter) =>
      matter.some((other) => keys.has(key(other.a)) || keys.has(key(other.b))),
    );
    if (home === undefined) found.push([pair]);
    else home.push(pair);
  }
  return found;
}

function disputeOf(pairs: readonly BackedPair[], claims: readonly OwnedClaim[]): Dispute {
  const seen = new Map(
    pairs.flatMap(({ a, b }) =>
      [a, b].map((mention) => [`${mention.report.id} ${mention.group}`, mention] as const),
    ),
  );
  const mentions = [...seen.values()].sort(
    (x, y) => x.report.at - y.report.at || (x.report.id < y.report.id ? -1 : 1),
  );
  const sides: Mention[][] = [];
  for (const mention of mentions) {
    const side = sides.find((one) =>
      one.some((other) => other.low < mention.high && mention.low < other.high),
    );
    if (side === undefined) sides.push([mention]);
    else side.push(mention);
  }
  const known = mentions.flatMap((mention) => claims.filter((claim) => isOf(claim, mention)));
  const attribute = attributeOf(mentions, known);
  return {
    attribute,
    sides: sides.map((side) => side.map((one) => asClaim(one, attribute, known))),
  };
}

/** What it is called: by claims that know it, else by its kind. */
function attributeOf(mentions: readonly Mention[], known: readonly OwnedClaim[]): string {
  const sure = known.filter((claim) => readAttribute(claim.attribute).isSure);
  const names = Map.groupBy(sure, (claim) => readAttribute(claim.attribute).name);
  const most = [...names].toSorted((one, two) => two[1].length - one[1].length)[0];
  const isBoth = most !== undefined && new Set(most[1].map((claim) => claim.reportId)).size > 1;
  if (most !== undefined && (isBoth || names.size === 1)) {
    return readAttribute(most[1][0]?.attribute ?? '').key;
  }
  return `some-${mentions[0]?.kind ?? 'count'}`;
}

function asClaim(mention: Mention, attribute: string, known: readonly OwnedClaim[]): OwnedClaim {
  const own = known.find((claim) => isOf(claim, mention) && claim.sentence === mention.written);
  if (own !== undefined) return own;
  const { report, value, low, high, kind, unit, bound } = mention;
  const isDay = kind === 'date' && bound === '';
  const short = (one: number) => String(Number(one.toPrecision(8)));
  return {
    ...{ anchor: '', attribute, report, reportId: report.id, at: report.at },
    value: isDay
      ? new Date(value).toISOString().slice(0, 10)
      : `${bound}${short(value)}|${short(low)}..${short(high)}`,
    unit: isDay ? 'day' : unit,
    said: mention.cased.slice(mention.start, mention.end).trim(),
    sentence: mention.written,
  };
}
