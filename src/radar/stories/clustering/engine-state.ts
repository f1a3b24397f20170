// The components of the engine, and the functions that index an item. Searches do not find an
// indexed item until `index.publish` is called.
import { type MergeCandidates, openMergeCandidates } from '../advice/merge-candidates.ts';
import { openTermIndex, type TermIndex } from '../index/term-index.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { type MatchScorer, openMatchScorer } from '../scoring/match-scorer.ts';
import { extractFeatures } from '../text/extract-features.ts';
import { openPins, type Pins } from './pins.ts';
import { openStoryIndex, type StoryIndex } from './story-index.ts';
import type { Pin, Reason, StoryItem } from './story-item.ts';

export type EngineState = {
  readonly rules: StoryRules;
  readonly index: TermIndex;
  readonly stories: StoryIndex;
  readonly scorer: MatchScorer;
  readonly pins: Pins;
  readonly mergeCandidates: MergeCandidates;
};

export function openEngineState(rules: StoryRules, pins: readonly Pin[]): EngineState {
  const index = openTermIndex(rules.share, rules.settings);
  const stories = openStoryIndex(rules.version, index.facts.timeMs);
  return {
    rules,
    index,
    stories,
    scorer: openMatchScorer(rules, index, stories),
    pins: openPins(pins),
    mergeCandidates: openMergeCandidates(stories, rules.settings.joinFrom),
  };
}

/** Indexes an item from its text, without assigning it to a story. */
export function indexItem(state: EngineState, item: StoryItem) {
  return registerItem(
    state,
    item.id,
    state.index.add(extractFeatures(state.rules, item), item.timeMs),
  );
}

/** Indexes an item from stored features, or from its text when these cannot be read. */
export function indexStored(state: EngineState, item: StoryItem, bytes: Uint8Array) {
  const slot = state.index.addPacked(bytes, item.timeMs);
  return slot === null ? indexItem(state, item) : registerItem(state, item.id, slot);
}

/**
 * `isClosed`: no other item may join this one, for this `reason`. `isUncounted`: searches must not
 * find the item, and its terms do not count.
 */
function registerItem({ index, stories, pins }: EngineState, itemId: string, slot: number) {
  stories.setItemId(slot, itemId);
  const { facts } = index;
  const isEmpty = facts.isEmpty(slot);
  const isAlone = pins.isStandAlone(itemId);
  const isVague = facts.isVague(slot);
  const reason: Reason = isAlone ? 'pinned' : isEmpty || isVague ? 'no-text' : 'roundup';
  const isUncounted = isAlone || isEmpty || facts.isRoundup(slot);
  return { slot, isClosed: isUncounted || isVague, isUncounted, reason };
}

/** Whether a pin separates an item of one list of slots from an item of the other. */
export function areSeparated(
  { stories, pins }: EngineState,
  a: readonly number[],
  b: readonly number[],
): boolean {
  return pins.size > 0 && pins.isForbidden(a.map(stories.itemId), b.map(stories.itemId));
}

/** The item's features as bytes; undefined for an unknown item. */
export function featuresOf({ index, stories }: EngineState, itemId: string) {
  const slot = stories.slotOf(itemId);
  return slot === undefined ? undefined : index.pack(slot);
}
