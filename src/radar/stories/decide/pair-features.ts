// What is measured between two items. Every feature is a plain number near 0..1; the weights that
// turn them into a probability are learned (bench/train-stories.ts) and lie in editorial/stories.
import type { Memory } from '../memory/memory.ts';
import { sectionAt } from '../memory/shelf.ts';
import { countShared, type Overlap, overlap, type Run } from './overlap.ts';

export const pairFeatureNames = [
  'bias',
  'titleCosine',
  'titleContained',
  'titleCosineSquared',
  'titleMass',
  'titleBest',
  'pairCosine',
  'pairMass',
  'conceptCosine',
  'conceptContained',
  'conceptMass',
  'conceptBest',
  'leadCosine',
  'leadCosineSquared',
  'titleInLead',
  'allConceptCosine',
  'entityShared',
  'entityConflict',
  'figureShared',
  'figureConflict',
  'versionShared',
  'versionConflict',
  'dayShared',
  'dayConflict',
  'editionConflict',
  'linkShared',
  'actionShared',
  'actionConflict',
  'actorConflictSameAction',
  'nearness',
  'untimed',
  'bothHan',
  'crossScript',
  'bothText',
  'shortTitle',
  'crossConceptCosine',
  'crossConceptContained',
  'crossConceptMass',
  'crossTitle',
  'textTitleCosine',
  'textTitleContained',
  'hanTitleCosine',
  'hanTitleContained',
  'hanPairCosine',
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
  const { shelf, titleWeight, leadWeight } = memory;
  const block = shelf.block();
  const run = (slot: number, section: number): Run => ({
    from: shelf.start(slot, section),
    to: shelf.end(slot, section),
  });
  const meet = (name: keyof typeof sectionAt, weight: (term: number) => number): Overlap =>
    overlap(block, run(a, sectionAt[name]), run(b, sectionAt[name]), weight);

  const scripts = [memory.script(a), memory.script(b)];
  const bothHan = scripts[0] === 'han' && scripts[1] === 'han';
  const isCross = scripts.includes('han') && scripts.includes('latin');
  const title = meet('title', titleWeight);
  const pairs = meet('pairs', titleWeight);
  const concepts = meet('concepts', titleWeight);
  out[at.bias] = 1;
  out[at.titleCosine] = title.cosine;
  out[at.titleContained] = title.contained;
  out[at.titleCosineSquared] = title.cosine ** 2;
  out[at.titleMass] = scaled(title.mass);
  out[at.titleBest] = title.best / 10;
  out[at.pairCosine] = pairs.cosine;
  out[at.pairMass] = scaled(pairs.mass);
  out[at.conceptCosine] = concepts.cosine;
  out[at.conceptContained] = concepts.contained;
  out[at.conceptMass] = scaled(concepts.mass);
  out[at.conceptBest] = concepts.best / 10;

  const leads = [run(a, sectionAt.lead), run(b, sectionAt.lead)] as const;
  const bothText = leads[0].to > leads[0].from && leads[1].to > leads[1].from;
  if (bothText) {
    const lead = meet('lead', leadWeight);
    out[at.leadCosine] = lead.cosine;
    out[at.leadCosineSquared] = lead.cosine ** 2;
    out[at.allConceptCosine] = meet('leadConcepts', leadWeight).cosine;
    out[at.textTitleCosine] = title.cosine;
    out[at.textTitleContained] = title.contained;
  }
  const inLead = [
    overlap(block, run(a, sectionAt.title), leads[1], titleWeight),
    overlap(block, run(b, sectionAt.title), leads[0], titleWeight),
  ];
  out[at.titleInLead] = (inLead[0]?.cosine ?? 0) + (inLead[1]?.cosine ?? 0);

  anchorFeatures(memory, a, b, out);
  out[at.bothHan] = bothHan ? 1 : 0;
  out[at.crossScript] = isCross ? 1 : 0;
  out[at.bothText] = bothText ? 1 : 0;
  const terms = (slot: number) =>
    shelf.end(slot, sectionAt.title) - shelf.start(slot, sectionAt.title);
  out[at.shortTitle] = 1 / Math.max(1, Math.min(terms(a), terms(b)));
  const gap = memory.gapDays(a, b);
  if (gap === null) out[at.untimed] = 1;
  else out[at.nearness] = Math.exp(-gap / decayDays);
  if (isCross) crossScriptFeatures(title, concepts, out);
  if (bothHan) hanFeatures(title, pairs, out);
}

/** The same views with weights of their own where an English text meets a Chinese one. */
function crossScriptFeatures(title: Overlap, concepts: Overlap, out: Float64Array): void {
  out[at.crossConceptCosine] = concepts.cosine;
  out[at.crossConceptContained] = concepts.contained;
  out[at.crossConceptMass] = scaled(concepts.mass);
  out[at.crossTitle] = scaled(title.mass);
}

function hanFeatures(title: Overlap, pairs: Overlap, out: Float64Array): void {
  out[at.hanTitleCosine] = title.cosine;
  out[at.hanTitleContained] = title.contained;
  out[at.hanPairCosine] = pairs.cosine;
}

/** Who, how much, which version, when, what was done: shared, or said differently by both. */
function anchorFeatures(memory: Memory, a: number, b: number, out: Float64Array): void {
  const { shelf, titleWeight } = memory;
  const block = shelf.block();
  const run = (slot: number, section: number): Run => ({
    from: shelf.start(slot, section),
    to: shelf.end(slot, section),
  });
  const count = (name: keyof typeof sectionAt) => {
    const [left, right] = [run(a, sectionAt[name]), run(b, sectionAt[name])];
    return {
      shared: countShared(block, left, right),
      both: left.to > left.from && right.to > right.from,
    };
  };
  const conflict = ({ shared, both }: { shared: number; both: boolean }) =>
    both && shared === 0 ? 1 : 0;

  const entities = count('entities');
  const mass = overlap(
    block,
    run(a, sectionAt.entities),
    run(b, sectionAt.entities),
    titleWeight,
  ).mass;
  out[at.entityShared] = scaled(mass);
  out[at.entityConflict] = conflict(entities);
  const figures = count('figures');
  out[at.figureShared] = Math.min(2, figures.shared) / 2;
  out[at.figureConflict] = conflict(figures);
  const versions = count('versions');
  out[at.versionShared] = versions.shared > 0 ? 1 : 0;
  const families = count('families');
  out[at.versionConflict] = families.shared > 0 && versions.shared === 0 ? 1 : 0;
  const days = count('days');
  out[at.dayShared] = days.shared > 0 ? 1 : 0;
  out[at.dayConflict] = conflict(days);
  out[at.editionConflict] = conflict(count('editions'));
  out[at.linkShared] = count('links').shared > 0 ? 1 : 0;
  const actions = count('actions');
  out[at.actionShared] = actions.shared > 0 ? 1 : 0;
  out[at.actionConflict] = conflict(actions);
  out[at.actorConflictSameAction] =
    actions.shared > 0 && entities.both && entities.shared === 0 ? 1 : 0;
}

/** Sums of weights, bent so that more says ever less: 10 (one rare word) is .4, 30 is .67. */
const scaled = (mass: number) => mass / (mass + 15);
