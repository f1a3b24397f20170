// What the engine is made of, and the two steps that deciding, restoring and training share: taking
// an item in, and letting others find it.
import { type MergeDoubts, openMergeDoubts } from '../advice/merge-candidates.ts';
import { type Memory, openMemory } from '../index/term-index.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { type Judge, openJudge } from '../scoring/match-scorer.ts';
import { viewItem } from '../text/extract-features.ts';
import { type Glossary, type NamePair, openGlossary } from '../text/glossary.ts';
import { openSeenNear, type SeenNear } from './neighbour-cache.ts';
import { openPins, type Pins } from './pins.ts';
import { spread } from './sample-evenly.ts';
import { type Board, openBoard } from './story-index.ts';
import type { Pin, Reason, StoryItem } from './story-item.ts';

export type EngineParts = {
  readonly rules: StoryRules;
  readonly memory: Memory;
  readonly board: Board;
  readonly judge: Judge;
  readonly pins: Pins;
  readonly glossary: Glossary;
  readonly seen: SeenNear;
  readonly doubts: MergeDoubts;
  /** Names in two scripts that items taught; most taught none. */
  readonly taught: Map<string, readonly NamePair[]>;
};

export function openParts(rules: StoryRules, pins: readonly Pin[]): EngineParts {
  const memory = openMemory(rules.share, rules.settings);
  const board = openBoard(rules.version, memory.timeMs);
  const judge = openJudge(rules, memory, board);
  const glossary = openGlossary(rules.isHanWord);
  const seen = openSeenNear();
  const taught = new Map<string, readonly NamePair[]>();
  const doubts = openMergeDoubts(board, rules.settings.mergeFrom);
  return { rules, memory, board, judge, pins: openPins(pins), glossary, seen, doubts, taught };
}

/** Takes an item in without deciding anything. */
export function take(parts: EngineParts, item: StoryItem) {
  const view = viewItem(parts.rules, parts.glossary, item);
  return taken(parts, item.id, parts.memory.add(view, item.timeMs), view.taught);
}

/** The same by the view that was kept of the item; its text is read where that cannot be. */
export function takeKept(parts: EngineParts, item: StoryItem, view: Uint8Array) {
  const restored = parts.memory.addKept(view, item.timeMs);
  if (restored === null) return take(parts, item);
  parts.glossary.keep(restored.taught);
  return taken(parts, item.id, restored.slot, restored.taught);
}

function taken(
  { memory, board, pins, taught }: EngineParts,
  itemId: string,
  slot: number,
  names: readonly NamePair[],
) {
  if (names.length > 0) taught.set(itemId, names);
  board.name(slot, itemId);
  const isEmpty = memory.isEmpty(slot);
  const isAlone = pins.standsAlone(itemId);
  const isVague = memory.isVague(slot);
  const reason: Reason = isAlone ? 'pinned' : isEmpty || isVague ? 'no-text' : 'roundup';
  const isUncounted = isAlone || isEmpty || memory.isRoundup(slot);
  return { slot, isClosed: isUncounted || isVague, isUncounted, reason };
}

/** What is to be kept of an item's text; undefined when it is not known. */
export function keptViewOf({ memory, board, taught }: EngineParts, itemId: string) {
  const slot = board.slotOf(itemId);
  return slot === undefined ? undefined : memory.kept(slot, taught.get(itemId) ?? []);
}

/** From now on the item is found by others. */
export function publish({ memory, board }: EngineParts, slot: number, alike: readonly number[]) {
  const members = board.storyOf(slot)?.members.filter((member) => member !== slot) ?? [];
  const companions = new Set([...spread(members, 6), ...alike]);
  memory.publish(slot, [...companions], members.length === 0);
}
