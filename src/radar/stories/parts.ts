// What the engine is made of, and the two steps that deciding, restoring and training share: taking
// an item in, and letting others find it.
import { type Board, openBoard } from './board.ts';
import { type Judge, openJudge } from './decide/judge.ts';
import type { Pin, Reason, StoryItem } from './item.ts';
import { type Memory, openMemory } from './memory/memory.ts';
import type { StoryRules } from './open-rules.ts';
import { openPins, type Pins } from './pins.ts';
import { openSeenNear, type SeenNear } from './seen-near.ts';
import { spread } from './spread.ts';
import { type Glossary, openGlossary } from './text/glossary.ts';
import { viewItem } from './view/view-item.ts';

export type EngineParts = {
  readonly rules: StoryRules;
  readonly memory: Memory;
  readonly board: Board;
  readonly judge: Judge;
  readonly pins: Pins;
  readonly glossary: Glossary;
  readonly seen: SeenNear;
};

export function openParts(rules: StoryRules, pins: readonly Pin[]): EngineParts {
  const memory = openMemory(rules.share, rules.settings);
  const board = openBoard(rules.version, memory.timeMs);
  const judge = openJudge(rules, memory, board);
  const glossary = openGlossary(rules.isHanWord);
  const seen = openSeenNear();
  return { rules, memory, board, judge, pins: openPins(pins), glossary, seen };
}

/** Takes an item in without deciding anything. */
export function take(parts: EngineParts, item: StoryItem) {
  const { rules, memory, board, pins } = parts;
  const view = viewItem(rules, parts.glossary, item);
  const slot = memory.add(view, item.timeMs);
  board.name(slot, item.id);
  const isEmpty = view.title.length + view.doc.size + view.pairs.length === 0;
  const isAlone = pins.standsAlone(item.id);
  const reason: Reason = isAlone ? 'pinned' : isEmpty ? 'no-text' : 'roundup';
  return { slot, isClosed: isAlone || isEmpty || view.isRoundup, reason };
}

/** From now on the item is found by others. */
export function publish({ memory, board }: EngineParts, slot: number, alike: readonly number[]) {
  const members = board.storyOf(slot)?.members.filter((member) => member !== slot) ?? [];
  const companions = new Set([...spread(members, 6), ...alike]);
  memory.publish(slot, [...companions], members.length === 0);
}
