// Who, how much, which version, when, what was done: shared by two items, or said differently.

import { sectionAt } from '../index/feature-store.ts';
import type { Memory } from '../index/term-index.ts';
import { sumAt } from '../index/term-weights.ts';
import { countShared, foundIn, overlap, scaled } from './overlap.ts';

export const anchorFeatureNames = [
  'entityShared',
  'entityConflict',
  'nameCosine',
  'nameContained',
  'nameMass',
  'nameNone',
  'titleNamesLeast',
  'titleNamesMost',
  'titleNamesNone',
  'crossNames',
  'crossSounds',
  'crossFigures',
  'crossAction',
  'crossNumber',
  'figureShared',
  'figureConflict',
  'allFigureShared',
  'allFigureContained',
  'versionShared',
  'versionConflict',
  'versionElsewhere',
  'numberShared',
  'dayShared',
  'dayConflict',
  'editionConflict',
  'linkShared',
  'actionMain',
  'actionShared',
  'actionConflict',
  'actionUnknown',
  'otherActor',
  'otherSubject',
  'otherOpener',
] as const;
export type AnchorFeature = (typeof anchorFeatureNames)[number];

/** Writes the features of items `a` and `b` into `out`, each at its place in `at`. */
export function openAnchorFeatures(at: Readonly<Record<AnchorFeature, number>>) {
  return (memory: Memory, a: number, b: number, out: Float64Array): void => {
    const { shelf, sums } = memory;
    const [sumsA, sumsB] = [sums.fresh(a), sums.fresh(b)];
    const [all, byTitle, byLead] = [sums.all(), sums.titleWeights(), sums.leadWeights()];
    const [block, one, other] = [shelf.block(), shelf.base(a), shelf.base(b)];
    const least = (index: number) => Math.min(all[sumsA + index] ?? 0, all[sumsB + index] ?? 0);
    const entities = overlap(block, one, other, sectionAt.entities, byTitle);
    out[at.entityShared] = scaled(entities.mass);
    out[at.entityConflict] = differ(block, one, other, sectionAt.entities, entities.shared);
    const names = overlap(block, one, other, sectionAt.names, byLead);
    const nameNorm = Math.sqrt(
      (all[sumsA + sumAt.namesSquare] ?? 0) * (all[sumsB + sumAt.namesSquare] ?? 0),
    );
    const nameContained = ratio(names.mass, least(sumAt.names));
    out[at.nameCosine] = ratio(names.square, nameNorm);
    out[at.nameContained] = nameContained;
    out[at.nameMass] = scaled(names.mass);
    out[at.nameNone] = differ(block, one, other, sectionAt.names, names.shared);
    const [inB, inA] = [titleNamesIn(one, other, sumsA), titleNamesIn(other, one, sumsB)];
    out[at.titleNamesLeast] = Math.min(inB ?? inA ?? 0.5, inA ?? inB ?? 0.5);
    out[at.titleNamesMost] = Math.max(inB ?? inA ?? 0.5, inA ?? inB ?? 0.5);
    const noTitleName = conflict(block, one, other, sectionAt.titleNames);
    out[at.titleNamesNone] = noTitleName;
    out[at.otherSubject] =
      (subjectMissing(block, one, other, byLead) + subjectMissing(block, other, one, byLead)) / 2;
    const isOther = opensElse(block, one, other) && opensElse(block, other, one);
    out[at.otherOpener] = isOther && areAlike(block, one, other) ? 1 : 0;
    const figures = countShared(block, one, sectionAt.figures, other);
    out[at.figureShared] = Math.min(2, figures) / 2;
    out[at.figureConflict] = differ(block, one, other, sectionAt.figures, figures);
    const amounts = overlap(block, one, other, sectionAt.allFigures, byLead);
    const amountsContained = ratio(amounts.mass, least(sumAt.figures));
    out[at.allFigureShared] = scaled(amounts.mass);
    out[at.allFigureContained] = amountsContained;
    versionFeatures(at, block, one, other, out);
    out[at.dayShared] = meets(block, one, other, sectionAt.days);
    out[at.dayConflict] = conflict(block, one, other, sectionAt.days);
    out[at.editionConflict] = conflict(block, one, other, sectionAt.editions);
    out[at.linkShared] = meets(block, one, other, sectionAt.links);
    const actionShared = meets(block, one, other, sectionAt.actions);
    const actionsKnown = bothHave(block, one, other, sectionAt.actions) ? 1 : 0;
    out[at.actionMain] = actionsKnown * meets(block, one, other, sectionAt.mainAction);
    out[at.actionShared] = actionShared;
    out[at.actionConflict] = actionsKnown * (1 - actionShared);
    out[at.actionUnknown] = 1 - actionsKnown;
    out[at.otherActor] = actionShared * noTitleName;
    if (memory.script(a) === memory.script(b)) return;
    out[at.crossNames] = nameContained;
    out[at.crossSounds] = scaled(overlap(block, one, other, sectionAt.sounds, byLead).mass);
    out[at.crossFigures] = amountsContained;
    out[at.crossAction] = meets(block, one, other, sectionAt.mainAction);
    out[at.crossNumber] = meets(block, one, other, sectionAt.numbers);

    /** The share of one's names in its title that the other knows; undefined without any. */
    function titleNamesIn(from: number, into: number, sumsFrom: number): number | undefined {
      if (!has(block, from, sectionAt.titleNames)) return undefined;
      const found = foundIn(block, from, sectionAt.titleNames, into, sectionAt.names, byLead);
      return ratio(found, all[sumsFrom + sumAt.titleNames] ?? 0);
    }
  };
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
const lengthOf = (block: Int32Array, item: number, section: number) =>
  (block[item + section + 1] ?? 0) - (block[item + section] ?? 0);
const has = (block: Int32Array, item: number, section: number) =>
  lengthOf(block, item, section) > 0;
const bothHave = (block: Int32Array, a: number, b: number, section: number) =>
  has(block, a, section) && has(block, b, section);
const meets = (block: Int32Array, a: number, b: number, section: number) =>
  countShared(block, a, section, b) > 0 ? 1 : 0;
const differ = (block: Int32Array, a: number, b: number, section: number, shared: number) =>
  shared === 0 && bothHave(block, a, b, section) ? 1 : 0;
const conflict = (block: Int32Array, a: number, b: number, section: number) =>
  differ(block, a, b, section, countShared(block, a, section, b));

/** 1 when the most telling name in the title of `a` stands nowhere in `b`, which has others. */
function subjectMissing(block: Int32Array, a: number, b: number, weights: Float32Array): number {
  if (!bothHave(block, a, b, sectionAt.titleNames)) return 0;
  let [subject, most] = [-1, -1];
  for (let at = block[a + sectionAt.titleNames] ?? 0; ; at += 1) {
    if (at >= (block[a + sectionAt.titleNames + 1] ?? 0)) break;
    const term = block[at] ?? 0;
    if ((weights[term] ?? 0) > most) [subject, most] = [term, weights[term] ?? 0];
  }
  const to = block[b + sectionAt.names + 1] ?? 0;
  for (let at = block[b + sectionAt.names] ?? 0; at < to; at += 1) {
    if (block[at] === subject) return 0;
  }
  return 1;
}

/** Whether the title of `a` begins with a name that stands nowhere in `b`. */
const opensElse = (block: Int32Array, a: number, b: number) =>
  has(block, a, sectionAt.opener) &&
  countShared(block, a, sectionAt.opener, b) === 0 &&
  countShared(block, a, sectionAt.opener, b, sectionAt.names) === 0 &&
  countShared(block, a, sectionAt.opener, b, sectionAt.pairs) === 0;

const fewWords = 2;

/** Whether two titles are one sentence but for a few words. */
function areAlike(block: Int32Array, a: number, b: number): boolean {
  const shared = countShared(block, a, sectionAt.title, b);
  const longer = Math.max(lengthOf(block, a, sectionAt.title), lengthOf(block, b, sectionAt.title));
  return longer - shared <= fewWords && shared >= fewWords;
}

/** One product in two versions is two events, unless a text speaks of both. */
function versionFeatures(
  at: Readonly<Record<AnchorFeature, number>>,
  block: Int32Array,
  a: number,
  b: number,
  out: Float64Array,
): void {
  const isShared = meets(block, a, b, sectionAt.versions);
  out[at.versionShared] = isShared;
  out[at.versionConflict] = meets(block, a, b, sectionAt.families) * (1 - isShared);
  out[at.versionElsewhere] = (elsewhere(block, a, b) + elsewhere(block, b, a)) / 2;
  out[at.numberShared] = meets(block, a, b, sectionAt.numbers);
}

/** 1 when the other tells of the product in this title, but not of this version. */
function elsewhere(block: Int32Array, a: number, b: number): number {
  const family = countShared(block, a, sectionAt.families, b, sectionAt.allFamilies);
  if (family === 0) return 0;
  return countShared(block, a, sectionAt.versions, b, sectionAt.allVersions) === 0 ? 1 : 0;
}
