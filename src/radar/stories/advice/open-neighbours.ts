// Finds an item's neighbours by vectors, and the log-odds that each neighbour adds. All vectors are
// of one embedding model; another model starts with an empty index and a new calibration.

import type { Embed } from '../../../kernel/ports/model.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import type { StoredCalibration } from '../../../store/schema/model.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import {
  addedOdds,
  type CalibrationSample,
  calibrate,
  minSamples,
  minStandardScore,
  standardScore,
} from './calibrate.ts';
import { openVectorIndex, type VectorIndex } from './live-vectors.ts';

export type NeighbourDeps = {
  readonly embed: Embed;
  readonly liveDays: number;
  /** Stores and finds calibrations of models. */
  readonly calibration?: CalibrationStore | undefined;
};

export type CalibrationStore = {
  find(model: string): Promise<StoredCalibration | null>;
  save(model: string, calibration: StoredCalibration): Promise<void>;
};

/**
 * `known`: all vectors are loaded; `later`: no vector is available now; `full`: the index has no
 * space for older vectors.
 */
export type VectorState = 'known' | 'later' | 'full';

/** Items that are already assigned use at most this share of the model's budget. */
const assignedShare = 0.5;
const maxNeighbours = 6;
const textCharacters = 1_200;

type ModelIndex = { readonly index: VectorIndex; readonly calibrator: Calibrator };
type ItemVector = { readonly item: StoryItem; readonly vector: Float32Array };

export function openNeighbours({ embed, liveDays, calibration }: NeighbourDeps) {
  let model: ModelIndex | null = null;
  const findNeighbours = async (
    { index }: ModelIndex,
    calibration: StoredCalibration,
    { item, vector }: ItemVector,
  ) => {
    const minCosine = ({ mean, deviation }: StoredCalibration['within']) =>
      mean + minStandardScore * deviation;
    const min = Math.min(minCosine(calibration.within), minCosine(calibration.across));
    const query = { itemId: item.id, timeMs: item.timeMs, reachMs: liveDays * DAY_MS };
    const nearest = await index.nearest(vector, { ...query, max: maxNeighbours * 2, min });
    const neighbours = nearest.flatMap((other) => {
      const deviations = standardScore(calibration, other.cosine, other.isHan !== isHan(item));
      return deviations < minStandardScore ? [] : [[other.itemId, addedOdds(deviations)] as const];
    });
    return new Map(neighbours.slice(0, maxNeighbours));
  };
  const modelOf = (name: string): ModelIndex => {
    if (model?.index.model !== name) {
      model = { index: openVectorIndex(name), calibrator: openCalibrator(name, calibration) };
    }
    return model;
  };
  const add = ({ index }: ModelIndex, { item, vector }: ItemVector): boolean =>
    index.add({ itemId: item.id, timeMs: item.timeMs, isHan: isHan(item) }, vector);
  /** Adds the vectors to the calibration; returns the items that have a vector. */
  const learnVectors = async (
    name: string,
    items: readonly StoryItem[],
    vectors: readonly (Float32Array | null)[],
  ) => {
    const model = modelOf(name);
    const embeddedItems = items.flatMap((item, index): readonly ItemVector[] => {
      const vector = vectors[index] ?? null;
      return vector === null ? [] : [{ item, vector }];
    });
    for (const { item, vector } of embeddedItems) model.calibrator.learn(item, vector);
    return { model, embeddedItems, calibration: await model.calibrator.update() };
  };
  return {
    /** Adds items; returns the neighbours of each item, without the item itself. */
    addItems: async (
      world: World,
      items: readonly StoryItem[],
    ): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> => {
      const neighbours = new Map<string, ReadonlyMap<string, number>>();
      if (items.length === 0) return neighbours;
      const embedded = await embed(world, items.map(wordsOf));
      if (embedded.kind !== 'embedded') return neighbours;
      const learned = await learnVectors(embedded.model, items, embedded.vectors);
      const { model, calibration } = learned;
      for (const itemVector of learned.embeddedItems) {
        if (calibration !== null)
          neighbours.set(itemVector.item.id, await findNeighbours(model, calibration, itemVector));
        add(model, itemVector);
      }
      // The limit is relative to the newest item, because an evaluation may read old items.
      const newestMs = Math.max(...items.map(({ timeMs }) => timeMs ?? Number.NEGATIVE_INFINITY));
      model.index.forget(newestMs - 2 * liveDays * DAY_MS);
      return neighbours;
    },
    /** Adds items that are already assigned, newest first. */
    loadVectors: async (world: World, items: readonly StoryItem[]): Promise<VectorState> => {
      const unknown = items.filter(({ id }) => model?.index.has(id) !== true);
      if (unknown.length === 0) return 'known';
      const embedded = await embed(world, unknown.map(wordsOf), { budgetShare: assignedShare });
      // The model refuses this request permanently, so the items count as processed.
      if (embedded.kind !== 'embedded') return embedded.why === 'refused' ? 'known' : 'later';
      const learned = await learnVectors(embedded.model, unknown, embedded.vectors);
      return learned.embeddedItems.every((each) => add(learned.model, each)) ? 'known' : 'full';
    },
    size: () => model?.index.size ?? 0,
  };
}

const wordsOf = ({ title, text = '' }: StoryItem) => `${title}\n${text.slice(0, textCharacters)}`;

const isHan = ({ title }: StoryItem) => /\p{sc=Han}/u.test(title);

type Calibrator = ReturnType<typeof openCalibrator>;

const maxSamples = 2_000;

/** Calibrates when the stream has enough samples, and again when it has four times as many. */
function openCalibrator(model: string, store: CalibrationStore | undefined) {
  const samples: CalibrationSample[] = [];
  let calibration: StoredCalibration | null = null;
  let isRead = false;
  let learnedFrom = 0;
  return {
    learn: (item: StoryItem, vector: Float32Array) => {
      if (samples.length < maxSamples) samples.push({ vector, isHan: isHan(item) });
    },
    update: async (): Promise<StoredCalibration | null> => {
      if (!isRead) calibration = (await store?.find(model)) ?? null;
      isRead = true;
      if (samples.length < Math.max(minSamples, learnedFrom * 4)) return calibration;
      // A stored calibration stays in use until the number of samples reaches its maximum.
      if (calibration !== null && learnedFrom === 0 && samples.length < maxSamples)
        return calibration;
      learnedFrom = samples.length;
      calibration = calibrate(samples) ?? calibration;
      if (calibration !== null) await store?.save(model, calibration);
      return calibration;
    },
  };
}
