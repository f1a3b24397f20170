// The story engine: takes items one by one, puts each into a story or founds one, and repairs what
// later reports show to be wrong. State is rebuilt by giving the items again with the decisions
// that were kept; every decision comes out as a line of an append-only log. Deterministic.
import { type Advice, heed, type Proposal, proposed, slotsNear } from '../advice/advice.ts';
import type { MergeDoubt, MergeVerdict } from '../advice/merge-candidates.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { probability } from '../scoring/logistic.ts';
import type { Considered } from '../scoring/match-scorer.ts';
import { storyFeatureNames } from '../scoring/story-features.ts';
import {
  type EngineParts,
  keptViewOf,
  openParts,
  publish,
  take,
  takeKept,
} from './engine-state.ts';
import { type NearStory, nearStories } from './find-related.ts';
import { forget, giveBack, move } from './index-operations.ts';
import { hearVerdicts, lookAgain, mostNear, repairStories, testSplits } from './repair-stories.ts';
import type { Board, Story } from './story-index.ts';
import type { Assignment, Owners, Pin, StoryItem } from './story-item.ts';

export type Engine = {
  /** Decides where an item goes. An item that is known stays where it is. */
  add(item: StoryItem, advice?: Advice): Assignment;
  /** Where an item would go that is not known yet; nothing of it stays. */
  propose(item: StoryItem, advice: Advice): Proposal;
  /** Puts an item where it was decided to be; logs nothing. Rebuilds state after a start. */
  restore(item: StoryItem, storyId: string, view?: Uint8Array): void;
  /**
   * What the engine keeps of an item's text, to be given to `restore` by whoever has the same
   * rules: then the text is not read again. Undefined when the item is not known.
   */
  viewOf(itemId: string): Uint8Array | undefined;
  /** Looks again at what changed since the last repair, or at `all` that is live. */
  repair(all?: boolean): void;
  /** What changed so far was repaired where it was decided: the next repair leaves it alone. */
  settle(): void;
  /** Looks again at the stories of these items, and at nothing else. */
  revisit(itemIds: readonly string[]): void;
  /**
   * Takes apart those of these stories that turn out to be two, where the rules say so and each of
   * the two has two independent sources.
   */
  split(storyIds: readonly string[], owners?: Owners): void;
  /** From now on stories whose merge is in doubt wait for a word from outside. */
  askAboutMerges(): void;
  /** Those that wait, the likeliest first; each is told of once. */
  takeDoubts(): readonly MergeDoubt[];
  /** The word from outside: these pairs, and no others, are decided. */
  hear(verdicts: readonly MergeVerdict[]): void;
  /** Live stories near this one, the nearest first. */
  near(storyId: string): readonly NearStory[];
  /** From now on; what is placed already is moved at once. */
  pin(pin: Pin): void;
  /** Every item and its story, in the order they came. */
  assigned(): readonly { readonly id: string; readonly story: string }[];
  /** The log so far; entries are only ever added. */
  log(): readonly Assignment[];
  /** The log since it was last taken, for the store; the engine lets go of it. */
  takeLog(): readonly Assignment[];
  /** The story an item is in; undefined when it is not known, or was let go. */
  storyOf(itemId: string): string | undefined;
  /** Ids of a story's items in the order they joined; empty when there is no such story. */
  itemsOf(storyId: string): readonly string[];
  /** Takes an item out, as if it had never come. False when it is not known. */
  removeItem(itemId: string): boolean;
  /**
   * Lets go of every story whose newest report is older than this moment, ms: its items are found
   * no more and their memory is given back. Answers how many items went. What has no time stays.
   */
  forget(olderThanMs: number): number;
  /**
   * An operator's split, merge or undo: puts items into a story, or (null) into a new one. Pins
   * say what holds for ever; this alone does not keep the repair from another view.
   */
  move(itemIds: readonly string[], storyId: string | null): readonly Assignment[];
  /** Takes a pin back; what it moved stays where it is. */
  unpin(pin: Pin): void;
};

export function openEngine(rules: StoryRules, pins: readonly Pin[] = []): Engine {
  const parts = openParts(rules, pins);
  const { board } = parts;
  let sinceRepair = 0;
  const repair = (all = false): void => {
    sinceRepair = 0;
    repairStories(parts, all);
  };
  return {
    add(item, advice) {
      const known = board.slotOf(item.id);
      if (known !== undefined) return lastEntry(parts, known);
      const entry = place(parts, item, advice);
      sinceRepair += 1;
      if (sinceRepair >= rules.settings.repairEvery) repair();
      return entry;
    },
    propose: (item, advice) => propose(parts, item, advice),
    viewOf: (itemId) => keptViewOf(parts, itemId),
    restore(item, storyId, view) {
      if (board.slotOf(item.id) !== undefined) return;
      const taken = view === undefined ? take(parts, item) : takeKept(parts, item, view);
      const { slot, isClosed, isUncounted } = taken;
      const story = board.stories.get(storyId);
      if (story === undefined) board.found(slot, isClosed, storyId);
      else board.put(slot, story);
      if (!isUncounted) publish(parts, slot, []);
    },
    repair,
    settle() {
      board.takeTouched();
      parts.seen.clear();
    },
    revisit: (itemIds) => lookAgain(parts, itemIds),
    split: (storyIds, owners) => testSplits(parts, storyIds, owners),
    askAboutMerges: parts.doubts.begin,
    takeDoubts: parts.doubts.take,
    hear: (verdicts) => hearVerdicts(parts, verdicts),
    near: (storyId) => nearStories(parts, storyId),
    pin(pin) {
      parts.pins.add(pin);
      obey(parts, pin);
    },
    assigned: board.assigned,
    log: board.log,
    takeLog: board.takeLog,
    storyOf(itemId) {
      const slot = board.slotOf(itemId);
      return slot === undefined ? undefined : board.storyOf(slot)?.id;
    },
    itemsOf: (storyId) => (board.stories.get(storyId)?.members ?? []).map(board.itemId),
    removeItem(itemId) {
      const slot = board.slotOf(itemId);
      if (slot === undefined) return false;
      board.remove(slot);
      parts.taught.delete(itemId);
      giveBack(parts);
      return true;
    },
    forget: (olderThanMs) => forget(parts, olderThanMs),
    move: (itemIds, storyId) => move(parts, itemIds, storyId),
    unpin: parts.pins.remove,
  };
}

function propose(parts: EngineParts, item: StoryItem, advice: Advice): Proposal {
  const { board, judge } = parts;
  if (board.slotOf(item.id) !== undefined) return { itemId: item.id, near: [] };
  const { slot, isClosed } = take(parts, item);
  const near = isClosed
    ? []
    : heed(parts, judge.consider(slot, slotsNear(parts, advice)).near, advice);
  const proposal = proposed(parts, item.id, near);
  board.found(slot, true);
  board.remove(slot);
  parts.taught.delete(item.id);
  giveBack(parts);
  return proposal;
}

function place(parts: EngineParts, item: StoryItem, advice?: Advice): Assignment {
  const { rules, board, judge, pins } = parts;
  const { slot, isClosed, isUncounted, reason } = take(parts, item);
  if (isClosed) {
    const alike = isUncounted ? [] : judge.consider(slot).alike;
    board.found(slot, true);
    // Its word counts among words: of what else tells of that thing it is one more.
    if (!isUncounted) publish(parts, slot, alike);
    return board.note(slot, reason, 1, {});
  }
  const also = advice === undefined ? [] : slotsNear(parts, advice);
  const { near: judged, alike } = judge.consider(slot, also);
  const near = advice === undefined ? judged : heed(parts, judged, advice);
  const pinned = storyPinnedTo(parts, item.id);
  const allowed = near.filter(({ story }) => !pins.forbid([item.id], namesIn(board, story)));
  const best = allowed[0];
  let entry: Assignment;
  if (pinned !== undefined) {
    board.put(slot, pinned);
    entry = board.note(slot, 'pinned', 1, {});
  } else if (best !== undefined && best.odds >= rules.settings.joinFrom) {
    board.put(slot, best.story);
    entry = board.note(slot, 'joined', probability(best.odds), named(best));
  } else {
    board.found(slot, false);
    entry = board.note(slot, 'founded', 1 - probability(best?.odds ?? -8), named(best));
  }
  const others = near.slice(0, mostNear).map(({ story }) => story);
  parts.seen.add(slot, others);
  publish(parts, slot, alike);
  return entry;
}

function storyPinnedTo({ board, pins }: EngineParts, itemId: string): Story | undefined {
  for (const other of pins.linkedWith(itemId)) {
    const slot = board.slotOf(other);
    if (slot !== undefined) return board.storyOf(slot);
  }
  return undefined;
}

/** A pin on items that are placed: they move now, and the log says that a person did it. */
function obey({ board }: EngineParts, pin: Pin): void {
  const slots = (pin.kind === 'stand-alone' ? [pin.item] : pin.items).map(board.slotOf);
  const [first, second] = slots;
  if (pin.kind === 'stand-alone') {
    if (first === undefined) return;
    board.found(first, true);
    board.note(first, 'pinned', 1, {});
    return;
  }
  if (first === undefined || second === undefined) return;
  const [story, other] = [board.storyOf(first), board.storyOf(second)];
  if (pin.kind === 'must-link' && story !== undefined) {
    if (story === other) return;
    board.put(second, story);
  } else {
    if (story !== other) return;
    board.found(second, false);
  }
  board.note(second, 'pinned', 1, {});
}

function* namesIn(board: Board, story: Story): Iterable<string> {
  for (const slot of story.members) yield board.itemId(slot);
}

/** What the log said last of an item; it does not grow by being asked. */
function lastEntry({ board, rules }: EngineParts, slot: number): Assignment {
  const itemId = board.itemId(slot);
  const entry = board.log().findLast((line) => line.itemId === itemId);
  if (entry !== undefined) return entry;
  const storyId = board.storyOf(slot)?.id ?? itemId;
  const rulesVersion = rules.version;
  return { itemId, storyId, score: 1, features: {}, rulesVersion, reason: 'restored' };
}

function named(
  considered: (Considered & { readonly advised?: Assignment['features'] }) | undefined,
): Assignment['features'] {
  if (considered === undefined) return {};
  const { features, advised } = considered;
  const own = storyFeatureNames.map((name, at) => [name, features[at] ?? 0] as const);
  return { ...Object.fromEntries(own), ...advised };
}
