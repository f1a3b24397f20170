// What each kind of pair is weighed by. All features fit the events they were learned from and few
// fit the next ones: on events held out, a sum over some ten features, each pointing one way only,
// orders pairs better than a sum over all (docs/decisions/0034). What is left is for the trees.

import type { StoryFiles } from '../src/radar/stories/rules/rule-files.ts';
import { type PairFeature, pairFeatureNames } from '../src/radar/stories/scoring/pair-features.ts';
import { type Example, fitLogistic } from './fit-logistic.ts';

/** The kinds of pairs that have weights of their own. */
export type PairKind = Exclude<keyof StoryFiles['weights'], 'story'>;

const across: readonly PairFeature[] = [
  'crossScript',
  'crossConcepts',
  'crossNames',
  'crossSounds',
  'crossFigures',
  'crossAction',
];

/**
 * Seldom in the sets, and held as they are: another version, another edition, the same link, the
 * same sentence about another name.
 */
const guards: readonly PairFeature[] = [
  'versionConflict',
  'versionElsewhere',
  'editionConflict',
  'linkShared',
  'otherOpener',
];

/** With times, single ideographs made one of two events of an island (purity.test.ts). */
const allButGlyphs = pairFeatureNames.filter((name) => name !== 'glyphCosine');

/** What the sum of weights asks, by kind. */
export const askedFeatures: Readonly<Record<PairKind, readonly PairFeature[]>> = {
  texts: allButGlyphs,
  undated: allButGlyphs,
  undatedHan: ['bias', 'wordsCosine', 'glyphCosine', 'docCosine', ...guards],
  headlines: [
    'bias',
    'pairCosine',
    'titleCosine',
    'conceptCosine',
    'entityShared',
    'nameMass',
    'untimed',
    'nearness',
    ...across,
    ...guards,
  ],
};

/** What trees may ask besides: what the sum asks, or where that is little, all. */
export const mayAsk = (kind: PairKind, name: PairFeature): boolean =>
  isFew(kind) || askedFeatures[kind].includes(name);

/** Few features are kept to their sense; among all, each corrects another. */
export const isFew = (kind: PairKind): boolean => askedFeatures[kind].length < 30;

/** Neither speaks for nor against: what kind of pair it is. */
const eitherWay: readonly PairFeature[] = [
  'bias',
  'shortTitle',
  'bothText',
  'crossScript',
  'untimed',
];

/** Whether a weight says of its feature what the feature's name says. */
const pointsRight = (name: PairFeature, weight: number): boolean => {
  if (eitherWay.includes(name) || weight === 0) return true;
  const isAgainst = /Conflict|None|other|apart|Elsewhere|Unknown/u.test(name);
  return isAgainst === weight < 0;
};

/**
 * Weights of `asked`, those that point the wrong way left out until none does; a feature that is
 * not asked weighs nothing. `held` has a value for every feature.
 */
export function fitAsked(
  examples: readonly Example[],
  asked: readonly PairFeature[],
  held: Readonly<Partial<Record<PairFeature, number>>>,
  isSigned: boolean,
): Float64Array {
  let names = asked;
  for (;;) {
    const places = names.map((name) => pairFeatureNames.indexOf(name));
    const rows = examples.map(({ features, isTrue, weight }) => {
      return { isTrue, weight, features: Float64Array.from(places, (at) => features[at] ?? 0) };
    });
    const start = Float64Array.from(names, (name) => held[name] ?? 0);
    const weights = fitLogistic(rows, 1, start);
    const right = names.filter((name, at) => !isSigned || pointsRight(name, weights[at] ?? 0));
    if (right.length === names.length) {
      const of = new Map(names.map((name, at) => [name, weights[at] ?? 0]));
      return Float64Array.from(pairFeatureNames, (name) => of.get(name) ?? 0);
    }
    names = right;
  }
}
