// Neighbours by vectors: which known items lie near to one, and what that adds to the log-odds. All
// of it is of one embedding model; another one begins anew, with an index and measures of its own.
import type { Embed } from '../../../kernel/model.ts';
import type { World } from '../../../kernel/world.ts';
import type { StoryItem } from '../item.ts';
import {
  addedOdds,
  type Calibration,
  calibrate,
  leastSamples,
  leastStanding,
  type Sample,
  standing,
} from './calibrate.ts';
import { openVectorIndex, type VectorIndex } from './live-vectors.ts';

export type NeighbourParts = {
  readonly embed: Embed;
  readonly liveDays: number;
  /** What was learned of a model before, and what is learned now. */
  readonly calibration?: CalibrationStore | undefined;
};

export type CalibrationStore = {
  find(model: string): Promise<Calibration | null>;
  save(model: string, calibration: Calibration): Promise<void>;
};

export type Neighbours = {
  /** Makes items known; answers what is near to each, none of which is itself. */
  take(
    world: World,
    items: readonly StoryItem[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  readonly size: () => number;
};

const dayMs = 86_400_000;
const mostNear = 6;
const textCharacters = 1_200;

type Model = { readonly index: VectorIndex; readonly learner: Learner };

export function openNeighbours({ embed, liveDays, calibration }: NeighbourParts): Neighbours {
  let model: Model | null = null;
  const nearTo = (
    { index, learner }: Model,
    known: Calibration,
    item: StoryItem,
    vector: Float32Array,
  ) => {
    const floor = ({ mean, deviation }: Calibration['within']) => mean + leastStanding * deviation;
    const least = Math.min(floor(known.within), floor(known.across));
    const ask = { itemId: item.id, timeMs: item.timeMs, reachMs: liveDays * dayMs };
    const told = index.nearest(vector, { ...ask, most: mostNear * 2, least });
    const near = told.flatMap(({ itemId, cosine }) => {
      const isAcross = learner.isHan(itemId) !== isHan(item);
      const deviations = standing(known, cosine, isAcross);
      return deviations < leastStanding ? [] : [[itemId, addedOdds(deviations)] as const];
    });
    return new Map(near.slice(0, mostNear));
  };
  return {
    take: async (world, items) => {
      const near = new Map<string, ReadonlyMap<string, number>>();
      if (items.length === 0) return near;
      const embedded = await embed(world, items.map(wordsOf));
      if (embedded.kind !== 'embedded') return near;
      if (model?.index.model !== embedded.model) {
        const learner = openLearner(embedded.model, calibration);
        model = { index: openVectorIndex(embedded.model), learner };
      }
      const vectorOf = (at: number) => embedded.vectors[at] ?? new Float32Array();
      for (const [at, item] of items.entries()) model.learner.learn(item, vectorOf(at));
      const known = await model.learner.settle();
      for (const [at, item] of items.entries()) {
        const vector = vectorOf(at);
        if (known !== null) near.set(item.id, nearTo(model, known, item, vector));
        model.index.add(item.id, item.timeMs, vector);
      }
      return near;
    },
    size: () => model?.index.size ?? 0,
  };
}

const wordsOf = ({ title, text = '' }: StoryItem) => `${title}\n${text.slice(0, textCharacters)}`;

const isHan = ({ title }: StoryItem) => /\p{sc=Han}/u.test(title);

type Learner = ReturnType<typeof openLearner>;

const mostSamples = 2_000;
const mostScripts = 40_000;

/** Calibration from the stream: once there is enough of it, anew when there is four times more. */
function openLearner(model: string, store: CalibrationStore | undefined) {
  const samples: Sample[] = [];
  const scripts = new Map<string, boolean>();
  let known: Calibration | null = null;
  let isRead = false;
  let learnedFrom = 0;
  return {
    isHan: (itemId: string) => scripts.get(itemId) ?? false,
    learn: (item: StoryItem, vector: Float32Array) => {
      scripts.set(item.id, isHan(item));
      const [oldest] = scripts.keys();
      if (scripts.size > mostScripts && oldest !== undefined) scripts.delete(oldest);
      if (samples.length < mostSamples) samples.push({ vector, isHan: isHan(item) });
    },
    settle: async (): Promise<Calibration | null> => {
      if (!isRead) known = (await store?.find(model)) ?? null;
      isRead = true;
      if (samples.length < Math.max(leastSamples, learnedFrom * 4)) return known;
      // What was stored came from more than a few texts.
      if (known !== null && learnedFrom === 0 && samples.length < mostSamples) return known;
      learnedFrom = samples.length;
      known = calibrate(samples) ?? known;
      if (known !== null) await store?.save(model, known);
      return known;
    },
  };
}
