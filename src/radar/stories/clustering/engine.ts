// The clustering engine. It assigns items one by one to stories and founds stories. It clusters
// recent items again, because later reports reveal errors. Every decision is a line of an
// append-only log. The state is rebuilt by replaying items with their stored decisions. Equal input
// gives equal decisions.
import {
  type Advice,
  type AdvisedMatch,
  findAdvisedMatches,
  noAdvice,
  type Proposal,
  proposalOf,
} from '../advice/advice.ts';
import type { MergeVerdict } from '../advice/merge-candidates.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { probability } from '../scoring/average-link.ts';
import {
  areSeparated,
  type EngineState,
  featuresOf,
  indexItem,
  indexStored,
  openEngineState,
} from './engine-state.ts';
import { findRelated } from './find-related.ts';
import { compactIndex, forget, move } from './index-operations.ts';
import { listDevelopments } from './list-developments.ts';
import { applyVerdicts } from './merge-stories.ts';
import { recluster } from './recluster.ts';
import type { Assignment, Pin, StoryItem } from './story-item.ts';

export type Engine = ReturnType<typeof openEngine>;

/** In a stream without times, recent items are clustered again after this number of items. */
const untimedEvery = 500;
const untimedWithin = 4 * untimedEvery;

export function openEngine(rules: StoryRules, pins: readonly Pin[] = []) {
  const state = openEngineState(rules, pins);
  const { stories, index } = state;
  let untimedCount = 0;
  return {
    /**
     * Assigns an item; a known item keeps its story. After 500 items without a time, the most
     * recent 2,000 items are clustered again.
     */
    add(item: StoryItem, advice?: Advice): Assignment {
      const story = stories.storyOfItem(item.id);
      if (story !== undefined) {
        const { version: rulesVersion } = rules;
        const existing = { itemId: item.id, storyId: story.id, score: 1, features: {} };
        return { ...existing, rulesVersion, reason: 'restored' };
      }
      const entry = assign(state, item, advice);
      if (item.timeMs !== null) return entry;
      untimedCount += 1;
      if (untimedCount % untimedEvery === 0)
        recluster(state, stories.usedSlots().slice(-untimedWithin));
      return entry;
    },
    /** The stories that an unknown item may join; the state does not change. */
    propose: (item: StoryItem, advice: Advice) => propose(state, item, advice),
    /**
     * The item's features as bytes, which `restore` of an engine with the same rules accepts
     * instead of the text. Undefined for an unknown item.
     */
    featuresOf: (itemId: string) => featuresOf(state, itemId),
    /** Restores a decided assignment without a log entry, to rebuild the state after a start. */
    restore(item: StoryItem, storyId: string, features?: Uint8Array): void {
      if (stories.slotOf(item.id) !== undefined) return;
      const indexed =
        features === undefined ? indexItem(state, item) : indexStored(state, item, features);
      const { slot, isClosed, isUncounted } = indexed;
      const story = stories.live.get(storyId);
      if (story === undefined) stories.createStory(slot, isClosed, storyId);
      else stories.moveItem(slot, story);
      if (!isUncounted) index.publish(slot);
    },
    /**
     * Clusters again the reports published since this time (ms), by default all live reports, and
     * the items `newItemIds`. Moves items where the result differs.
     */
    recluster(sinceMs = Number.NEGATIVE_INFINITY, newItemIds: readonly string[] = []): void {
      const newSlots = new Set(newItemIds.map(stories.slotOf));
      const isRecent = (slot: number) =>
        newSlots.has(slot) || (index.facts.timeMs(slot) ?? sinceMs) >= sinceMs;
      recluster(state, stories.usedSlots().filter(isRecent));
    },
    /** From now on uncertain merges wait for a model's verdict. */
    collectMergeCandidates: state.mergeCandidates.begin,
    /** Returns and removes merge candidates, likeliest first. */
    takeMergeCandidates: state.mergeCandidates.takeCandidates,
    /** Applies verdicts of a model; no other pair is compared. */
    applyVerdicts: (verdicts: readonly MergeVerdict[]) => applyVerdicts(state, verdicts),
    /** Item ids of a live story by development, in the order of publication. */
    developments: (storyId: string) => listDevelopments(state, storyId),
    /** Live stories near this one, the nearest first. */
    related: (storyId: string) => findRelated(state, storyId),
    /** Applies a pin from now on; assigned items move immediately. */
    pin(pin: Pin): void {
      state.pins.add(pin);
      applyPin(state, pin);
    },
    /** Every item with its story, in order of arrival. */
    assigned: stories.assigned,
    /** The log; entries are only appended. */
    log: stories.log,
    /** The log since the last call, for the store; the engine drops these entries. */
    takeLog: stories.takeLog,
    /** The story of an item; undefined when the item is unknown or was evicted. */
    storyOf: (itemId: string) => stories.storyOfItem(itemId)?.id,
    /** Ids of a story's items in order of assignment; empty for an unknown story. */
    itemsOf: (storyId: string) => (stories.live.get(storyId)?.members ?? []).map(stories.itemId),
    /** Removes an item as if it had never been added. False when it is unknown. */
    removeItem(itemId: string): boolean {
      const slot = stories.slotOf(itemId);
      if (slot === undefined) return false;
      stories.remove(slot);
      compactIndex(state);
      return true;
    },
    /**
     * Evicts every story whose newest report is older than this moment, ms. Its items leave the
     * candidate search and free their memory. Returns the number of evicted items. Stories without
     * times stay.
     */
    forget: (olderThanMs: number) => forget(state, olderThanMs),
    /**
     * An operator's split, merge or undo: moves items into a story, or (null) into a new one. Only
     * pins make the move permanent; otherwise the next clustering may revert the move.
     */
    move: (itemIds: readonly string[], storyId: string | null) => move(state, itemIds, storyId),
    /** Removes a pin; items that it moved stay. */
    unpin: state.pins.remove,
  };
}

function propose(state: EngineState, item: StoryItem, advice: Advice): Proposal {
  const { stories } = state;
  if (stories.slotOf(item.id) !== undefined) return { itemId: item.id, near: [] };
  const { slot, isClosed } = indexItem(state, item);
  const matches = isClosed ? [] : findAdvisedMatches(state, slot, advice);
  const proposal = proposalOf(state, slot, matches);
  stories.createStory(slot, true);
  stories.remove(slot);
  compactIndex(state);
  return proposal;
}

function assign(state: EngineState, item: StoryItem, advice: Advice = noAdvice): Assignment {
  const { rules, index, stories, pins } = state;
  const { slot, isClosed, isUncounted, reason } = indexItem(state, item);
  if (isClosed) {
    stories.createStory(slot, true);
    if (!isUncounted) index.publish(slot);
    return stories.logAssignment(slot, reason, 1, {});
  }
  const matches = findAdvisedMatches(state, slot, advice);
  const pinned = pins
    .linkedWith(item.id)
    .map(stories.storyOfItem)
    .find((story) => story !== undefined);
  const best = matches.find(({ story }) => !areSeparated(state, [slot], story.members));
  let entry: Assignment;
  if (pinned !== undefined) {
    stories.moveItem(slot, pinned);
    entry = stories.logAssignment(slot, 'pinned', 1, {});
  } else if (best !== undefined && best.odds >= rules.settings.joinFrom) {
    stories.moveItem(slot, best.story);
    entry = stories.logAssignment(slot, 'joined', probability(best.odds), loggedFeatures(best));
  } else {
    stories.createStory(slot, false);
    const score = 1 - probability(best?.odds ?? Number.NEGATIVE_INFINITY);
    entry = stories.logAssignment(slot, 'founded', score, loggedFeatures(best));
  }
  index.publish(slot);
  return entry;
}

/** Moves assigned items so that they match a new pin. The log has the reason `pinned`. */
function applyPin({ stories }: EngineState, pin: Pin): void {
  const slots = (pin.kind === 'stand-alone' ? [pin.item] : pin.items).map(stories.slotOf);
  const [first, second] = slots;
  if (pin.kind === 'stand-alone') {
    if (first === undefined) return;
    stories.createStory(first, true);
    stories.logAssignment(first, 'pinned', 1, {});
    return;
  }
  if (first === undefined || second === undefined) return;
  const [story, other] = [stories.storyOf(first), stories.storyOf(second)];
  if (pin.kind === 'must-link' && story !== undefined) {
    if (story === other) return;
    stories.moveItem(second, story);
  } else {
    if (story !== other) return;
    stories.createStory(second, false);
  }
  stories.logAssignment(second, 'pinned', 1, {});
}

function loggedFeatures(match: AdvisedMatch | undefined): Assignment['features'] {
  return match === undefined ? {} : { ...match.features, ...match.advised };
}
