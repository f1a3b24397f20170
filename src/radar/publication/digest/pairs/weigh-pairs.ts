// Which figures of two reports are one figure told in two ways: a logistic score over what stands
// around them, learned from labelled pairs (`bench/train-digest.ts`,
// `editorial/digest/pair-weights.json`).
import { z } from 'zod';
import file from '../../../../../editorial/digest/pair-weights.json' with { type: 'json' };
import type { DigestReport } from '../digest.ts';
import { type BackedPair, backing, bonusOf } from './back-pairs.ts';
import { faceReports, type Pair } from './face-reports.ts';
import type { Mention } from './mention.ts';
import { type Features, featureNames, featuresOf } from './pair-features.ts';
import { readMentions } from './read-mentions.ts';

export const pairWeightsFile = z.strictObject({
  /** From this log odds on, two figures contradict each other. */
  bar: z.number(),
  /** The same in a story of two owners: the more reports, the more figures look alike by chance. */
  barOfTwo: z.number(),
  /** From this on, they may, where the claims say that they do. */
  least: z.number(),
  /** The same in a story of two owners. */
  leastOfTwo: z.number(),
  weights: z.record(z.string(), z.number()),
});

const file_ = pairWeightsFile.parse(file);
const { bar, barOfTwo, least, leastOfTwo } = file_;
const weights = Float64Array.from(featureNames, (name) => file_.weights[name] ?? 0);

const aloneAt = featureNames.indexOf('alone-both');

/** Beyond these a story has been told often enough. */
const mostReports = 12;

/** The earliest report of each owner first, then others, twelve at most, in English or Chinese:
 * "1,5 Millionen" would be read as two numbers. */
export function someReports<T extends DigestReport>(reports: readonly T[]): readonly T[] {
  const ordered = reports
    .filter(({ language }) => /^(?:en|zh)/u.test(language))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const owners = new Set<string>();
  const [first, again] = [[] as T[], [] as T[]];
  for (const report of ordered) {
    (owners.has(report.owner) ? again : first).push(report);
    owners.add(report.owner);
  }
  return [...first, ...again].slice(0, mostReports);
}

/** From which score on two figures of a story of these reports contradict each other. */
export function barFor(reports: readonly DigestReport[]): number {
  return isOfMany(reports) ? bar : barOfTwo;
}

/** From which score on they may, where the claims say that they do. */
export function leastFor(reports: readonly DigestReport[]): number {
  return isOfMany(reports) ? least : leastOfTwo;
}

const isOfMany = (reports: readonly DigestReport[]) =>
  new Set(reports.map(({ owner }) => owner)).size > 2;

export function scoreOf(features: Features, by: Float64Array = weights): number {
  return features.reduce((sum, value, at) => sum + value * (by[at] ?? 0), 0);
}

/** Every pair of figures of two owners' reports that differ, with what speaks for each. */
export function weighPairs(reports: readonly DigestReport[]): readonly BackedPair[] {
  const weighed = pairsWithFeatures(reports).map(({ pair, features, bonus }) => {
    const isAlone = features[aloneAt] === 1;
    return { ...pair, score: scoreOf(features) + bonus, isAlone };
  });
  return weighed.map((pair) => ({ ...pair, score: pair.score + backing(pair, weighed, bar) }));
}

export type FeaturedPair = {
  readonly pair: Pair;
  readonly features: Features;
  /** What is known by rule and not learned. */
  readonly bonus: number;
};

export function pairsWithFeatures(reports: readonly DigestReport[]): readonly FeaturedPair[] {
  const since = reports.reduce((least, { at }) => Math.min(least, at), Number.MAX_VALUE);
  const read = someReports(reports).map((report) => ({ report, mentions: readMentions(report) }));
  const areMany = isOfMany(reports);
  return read.flatMap((one, at) =>
    read.slice(at + 1).flatMap((other) => {
      const isOneVoice = one.report.owner === other.report.owner;
      if (isOneVoice || one.mentions.length === 0 || other.mentions.length === 0) return [];
      return featuresBetween(one.mentions, other.mentions, since, areMany);
    }),
  );
}

function featuresBetween(
  a: readonly Mention[],
  b: readonly Mention[],
  since: number,
  isOfMany: boolean,
): readonly FeaturedPair[] {
  const facing = faceReports(a, b, since);
  return facing.pairs.map((pair) => {
    return { pair, features: featuresOf(pair, facing), bonus: bonusOf(pair, facing, isOfMany) };
  });
}
