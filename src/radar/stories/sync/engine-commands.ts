// Commands to the clustering engine and its replies. Both cross a thread boundary.
import type { FeatureRow } from '../../../store/radar/stories/story-features.ts';
import type { Advice } from '../advice/advice.ts';
import type { MergeCandidate, MergeVerdict } from '../advice/merge-candidates.ts';
import type { Engine } from '../clustering/engine.ts';
import type { RelatedStory } from '../clustering/find-related.ts';
import type { Assignment, Pin, StoryItem } from '../clustering/story-item.ts';

/** A command. Story ids are the engine's own. */
export type Step =
  /** The story is already decided: the item is restored or moved without a log entry. */
  | {
      readonly kind: 'place';
      readonly item: StoryItem;
      readonly storyId: string;
      /** The stored features; the text is read when they are absent. */
      readonly features?: Uint8Array;
    }
  | { readonly kind: 'pin'; readonly pin: Pin }
  | { readonly kind: 'unpin'; readonly pin: Pin }
  /** A pin was removed from an item that stood alone: other items may join it again. */
  | { readonly kind: 'reopen'; readonly item: StoryItem; readonly storyId: string }
  | { readonly kind: 'add'; readonly item: StoryItem; readonly advice?: Advice }
  /**
   * Clusters again the items published since `sinceMs` (epoch milliseconds) and the items
   * `newItemIds`.
   */
  | {
      readonly kind: 'recluster';
      readonly sinceMs: number;
      readonly newItemIds: readonly string[];
    }
  /** From now on uncertain merges wait for a model's verdict. */
  | { readonly kind: 'collect-merge-candidates' }
  /** Verdicts for waiting pairs. */
  | { readonly kind: 'apply-verdicts'; readonly verdicts: readonly MergeVerdict[] }
  /** Evicts old stories; returns the ids of `storyIds` that were evicted. */
  | { readonly kind: 'forget'; readonly olderThanMs: number; readonly storyIds: readonly string[] };

export type EngineReply = {
  /** The engine's decisions in order. */
  readonly log: readonly Assignment[];
  /** New stories of items that pins have separated. */
  readonly separatedStories: readonly (readonly [itemId: string, storyId: string])[];
  readonly evictedStories: readonly string[];
  /** Features of items whose texts were read, to be stored. */
  readonly features: readonly FeatureRow[];
  /** Neighbours of each live story that the log names. */
  readonly neighbours: readonly (readonly [storyId: string, near: readonly RelatedStory[]])[];
  /** The developments of each live story that the log names: item ids in order of publication. */
  readonly developments: readonly (readonly string[])[];
  /** Stories whose merge waits for a verdict; each is returned once. */
  readonly candidates: readonly MergeCandidate[];
};

export function applySteps(engine: Engine, steps: readonly Step[]): EngineReply {
  const separatedStories: [string, string][] = [];
  const evictedStories: string[] = [];
  const log: Assignment[] = [];
  for (const step of steps) {
    const isDecision = applyStep(engine, step, evictedStories);
    log.push(...engine.takeLog().filter(() => isDecision));
    if (step.kind !== 'pin' || step.pin.kind !== 'stand-alone') continue;
    const storyId = engine.storyOf(step.pin.item);
    if (storyId !== undefined) separatedStories.push([step.pin.item, storyId]);
  }
  const storyIds = new Set(log.map(({ storyId }) => storyId));
  const features = steps.flatMap((step) => readFeatures(engine, step));
  const live = [...storyIds].filter((storyId) => engine.itemsOf(storyId).length > 0);
  const neighbours = live.map((id) => [id, engine.related(id)] as const);
  const developments = live.flatMap((id) => engine.developments(id));
  const candidates = engine.takeMergeCandidates();
  return {
    log,
    separatedStories,
    evictedStories,
    features,
    neighbours,
    developments,
    candidates,
  };
}

/** The features of an item whose text was read. */
function readFeatures(engine: Engine, step: Step): readonly FeatureRow[] {
  if (step.kind !== 'add' && (step.kind !== 'place' || step.features !== undefined)) return [];
  const { id, timeMs } = step.item;
  const view = engine.featuresOf(id);
  return view === undefined || timeMs === null ? [] : [{ itemId: id, at: timeMs, view }];
}

/** Applies a step. Returns whether its log entries are decisions of the engine. */
function applyStep(engine: Engine, step: Step, evicted: string[]): boolean {
  switch (step.kind) {
    case 'place':
      placeItem(engine, step);
      return false;
    case 'pin':
      engine.pin(step.pin);
      return false;
    case 'unpin':
      engine.unpin(step.pin);
      return false;
    case 'reopen':
      if (engine.removeItem(step.item.id)) engine.restore(step.item, step.storyId);
      return false;
    case 'add':
      engine.add(step.item, step.advice);
      return true;
    case 'recluster':
      engine.recluster(step.sinceMs, step.newItemIds);
      return true;
    case 'collect-merge-candidates':
      engine.collectMergeCandidates();
      return false;
    case 'apply-verdicts':
      engine.applyVerdicts(step.verdicts);
      return true;
    case 'forget':
      engine.forget(step.olderThanMs);
      evicted.push(...step.storyIds.filter((id) => engine.itemsOf(id).length === 0));
      return false;
  }
}

export type PlaceStep = Extract<Step, { kind: 'place' }>;

function placeItem(engine: Engine, { item, storyId, features }: PlaceStep): void {
  const currentStory = engine.storyOf(item.id);
  if (currentStory === undefined) engine.restore(item, storyId, features);
  else if (currentStory !== storyId) engine.move([item.id], storyId);
}
