// What is measured between two items. Every feature is a plain number near 0..1; what turns them
// into a probability is learned (bench/train-stories.ts) and lies in editorial/stories.
import type { Memory } from '../memory/memory.ts';
import { sectionAt } from '../memory/shelf.ts';
import { type AnchorFeature, anchorFeatureNames, anchorFeatures } from './anchor-features.ts';
import { docOverlap, overlap, type Run, scaled, shareInDoc } from './overlap.ts';

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
  const scripts = [memory.script(a), memory.script(b)];
  out[at.crossScript] = scripts.includes('han') && scripts.includes('latin') ? 1 : 0;
  anchorFeatures(memory, a, b, (name: AnchorFeature, value) => {
    out[at[name]] = value;
  });
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
  const { shelf, titleWeight, leadWeight } = memory;
  const block = shelf.block();
  const run = (slot: number, name: keyof typeof sectionAt): Run => ({
    from: shelf.start(slot, sectionAt[name]),
    to: shelf.end(slot, sectionAt[name]),
  });
  const meet = (name: keyof typeof sectionAt, weight: (term: number) => number) =>
    overlap(block, run(a, name), run(b, name), weight);
  const title = meet('title', titleWeight);
  const pairs = meet('pairs', titleWeight);
  const concepts = meet('concepts', titleWeight);
  out[at.titleCosine] = title.cosine;
  out[at.titleContained] = title.contained;
  out[at.titleMass] = scaled(title.mass);
  out[at.titleBest] = title.best / 10;
  out[at.pairCosine] = pairs.cosine;
  out[at.pairContained] = pairs.contained;
  out[at.conceptCosine] = concepts.cosine;
  out[at.conceptContained] = concepts.contained;
  out[at.conceptMass] = scaled(concepts.mass);
  out[at.conceptBest] = concepts.best / 10;
  // One measure for both scripts: words of an alphabet, pairs of ideographs.
  const words = memory.script(a) === 'han' ? pairs : title;
  out[at.wordsCosine] = words.cosine;
  out[at.wordsContained] = words.contained;
  const terms = (slot: number) =>
    shelf.end(slot, sectionAt.title) - shelf.start(slot, sectionAt.title);
  out[at.shortTitle] = 1 / Math.max(1, Math.min(terms(a), terms(b)));
  if (!memory.hasText(a) || !memory.hasText(b)) return;
  out[at.bothText] = 1;
  const [docA, docB] = [run(a, 'doc'), run(b, 'doc')];
  const doc = docOverlap(block, docA, docB, leadWeight);
  out[at.docCosine] = doc.cosine;
  out[at.docMass] = scaled(doc.mass / 4);
  const wordsOf = (slot: number) => run(slot, memory.script(slot) === 'han' ? 'pairs' : 'title');
  const inB = shareInDoc(block, wordsOf(a), docB, titleWeight);
  const inA = shareInDoc(block, wordsOf(b), docA, titleWeight);
  out[at.titleInDocLeast] = Math.min(inA, inB);
  out[at.titleInDocMost] = Math.max(inA, inB);
  const all = meet('leadConcepts', leadWeight);
  out[at.allConceptCosine] = all.cosine;
  out[at.allConceptMass] = scaled(all.mass);
}
