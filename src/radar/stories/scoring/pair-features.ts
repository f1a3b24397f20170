// What is measured between two items. Every feature is a plain number near 0..1; what turns them
// into a probability is learned (bench/train-stories.ts) and lies in editorial/stories.

import { sectionAt } from '../index/feature-store.ts';
import type { Memory } from '../index/term-index.ts';
import { sumAt } from '../index/term-weights.ts';
import { anchorFeatureNames, openAnchorFeatures } from './anchor-features.ts';
import { docOverlap, foundInDoc, overlap, scaled } from './overlap.ts';

export const pairFeatureNames = [
  'bias',
  'titleCosine',
  'titleContained',
  'titleMass',
  'titleBest',
  'pairCosine',
  'pairContained',
  'conceptCosine',
  'conceptContained',
  'conceptMass',
  'conceptBest',
  'wordsCosine',
  'wordsContained',
  'glyphCosine',
  'docCosine',
  'docMass',
  'titleInDocLeast',
  'titleInDocMost',
  'allConceptCosine',
  'allConceptMass',
  'bothText',
  'crossScript',
  'shortTitle',
  'untimed',
  'nearness',
  'nearnessDay',
  'apartText',
  'apartOtherAction',
  'apartConflict',
  'crossNear',
  'crossConcepts',
  ...anchorFeatureNames,
] as const;
export type PairFeature = (typeof pairFeatureNames)[number];

const at = Object.fromEntries(pairFeatureNames.map((name, index) => [name, index])) as Readonly<
  Record<PairFeature, number>
>;

const anchorFeatures = openAnchorFeatures(at);

/** Writes the features of items `a` and `b` into `out`. Symmetric. */
export function pairFeatures(
  memory: Memory,
  a: number,
  b: number,
  decayDays: number,
  out: Float64Array,
): void {
  out.fill(0);
  out[at.bias] = 1;
  textFeatures(memory, a, b, out);
  const [script, other] = [memory.script(a), memory.script(b)];
  const isCross = script !== other && script !== 'other' && other !== 'other';
  out[at.crossScript] = isCross ? 1 : 0;
  anchorFeatures(memory, a, b, out);
  if (out[at.crossScript] === 1) out[at.crossConcepts] = out[at.allConceptCosine] ?? 0;
  timeFeatures(memory.gapDays(a, b), decayDays, out);
}

/** `gapDays` is null when either has no time. Everything else must stand in `out` already. */
export function timeFeatures(gapDays: number | null, decayDays: number, out: Float64Array): void {
  const value = (name: PairFeature) => out[at[name]] ?? 0;
  const day = gapDays === null ? 0 : Math.exp(-gapDays);
  const apart = gapDays === null ? 0 : 1 - day;
  out[at.untimed] = gapDays === null ? 1 : 0;
  out[at.nearness] = gapDays === null ? 0 : Math.exp(-gapDays / decayDays);
  out[at.nearnessDay] = day;
  // Another thing done, and on another day: what one company does next is not what it did before.
  const texts = value('bothText') * apart;
  out[at.apartText] = texts;
  out[at.apartOtherAction] = (1 - value('actionMain') - value('actionUnknown')) * texts;
  out[at.apartConflict] = value('actionConflict') * texts;
  out[at.crossNear] = value('crossScript') * day;
}

function textFeatures(memory: Memory, a: number, b: number, out: Float64Array): void {
  const { shelf, sums } = memory;
  const [sumsA, sumsB] = [sums.fresh(a), sums.fresh(b)];
  const [all, byTitle, byLead] = [sums.all(), sums.titleWeights(), sums.leadWeights()];
  const [block, one, other] = [shelf.block(), shelf.base(a), shelf.base(b)];
  const sumOf = (index: number) => [all[sumsA + index] ?? 0, all[sumsB + index] ?? 0] as const;
  const least = (index: number) => Math.min(all[sumsA + index] ?? 0, all[sumsB + index] ?? 0);
  const norm = (index: number) => Math.sqrt((all[sumsA + index] ?? 0) * (all[sumsB + index] ?? 0));
  const title = overlap(block, one, other, sectionAt.title, byTitle);
  out[at.titleCosine] = ratio(title.square, norm(sumAt.titleSquare));
  out[at.titleContained] = ratio(title.mass, least(sumAt.title));
  out[at.titleMass] = scaled(title.mass);
  out[at.titleBest] = title.best / 10;
  const pairs = overlap(block, one, other, sectionAt.pairs, byTitle);
  out[at.pairCosine] = ratio(pairs.square, norm(sumAt.pairsSquare));
  out[at.pairContained] = ratio(pairs.mass, least(sumAt.pairs));
  const concepts = overlap(block, one, other, sectionAt.concepts, byTitle);
  out[at.conceptCosine] = ratio(concepts.square, norm(sumAt.conceptsSquare));
  out[at.conceptContained] = ratio(concepts.mass, least(sumAt.concepts));
  out[at.conceptMass] = scaled(concepts.mass);
  out[at.conceptBest] = concepts.best / 10;
  // One measure for both scripts: words of an alphabet, pairs of ideographs.
  const isHan = memory.script(a) === 'han' && memory.script(b) === 'han';
  out[at.wordsCosine] = out[isHan ? at.pairCosine : at.titleCosine] ?? 0;
  out[at.wordsContained] = out[isHan ? at.pairContained : at.titleContained] ?? 0;
  const glyphs = overlap(block, one, other, sectionAt.glyphs, byTitle);
  out[at.glyphCosine] = isHan
    ? ratio(glyphs.square, norm(sumAt.glyphsSquare))
    : (out[at.titleCosine] ?? 0);
  const words = (base: number) =>
    (block[base + sectionAt.title + 1] ?? 0) - (block[base + sectionAt.title] ?? 0);
  out[at.shortTitle] = 1 / Math.max(1, Math.min(words(one), words(other)));
  if (!memory.hasText(a) || !memory.hasText(b)) return;
  out[at.bothText] = 1;
  const doc = docOverlap(block, one, other, sectionAt.doc, byLead);
  out[at.docCosine] = ratio(doc.dot, norm(sumAt.docSquare));
  out[at.docMass] = scaled(doc.mass / 4);
  const [ofA, ofB] = [a, b].map((slot) => (memory.script(slot) === 'han' ? 'pairs' : 'title'));
  const inB = foundInDoc(block, one, sectionAt[ofA ?? 'title'], other, sectionAt.doc, byTitle);
  const inA = foundInDoc(block, other, sectionAt[ofB ?? 'title'], one, sectionAt.doc, byTitle);
  const partInB = ratio(inB, sumOf(sumAt[ofA ?? 'title'])[0]);
  const partInA = ratio(inA, sumOf(sumAt[ofB ?? 'title'])[1]);
  out[at.titleInDocLeast] = Math.min(partInA, partInB);
  out[at.titleInDocMost] = Math.max(partInA, partInB);
  const lead = overlap(block, one, other, sectionAt.leadConcepts, byLead);
  out[at.allConceptCosine] = ratio(lead.square, norm(sumAt.leadConceptsSquare));
  out[at.allConceptMass] = scaled(lead.mass);
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
