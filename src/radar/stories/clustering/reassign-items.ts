// Reports that turn out to be in the wrong story: each is held against its own, without itself,
// and against those that lie near it. It goes where it is likelier by a margin; what fits nowhere
// stands by itself again. Early joins were decided by one pair; here whole stories speak.

import { probability } from '../scoring/logistic.ts';
import type { EngineParts } from './engine-state.ts';
import { spread } from './sample-evenly.ts';
import type { Story } from './story-index.ts';

/** Of a story, so many reports are asked at most, spread over all. */
const mostAsked = 60;
/** Stories of two reports have no other side that could tell. */
const leastMembers = 3;

export function reseatItems(parts: EngineParts, stories: readonly Story[]): void {
  for (const story of stories) {
    if (story.isClosed || story.members.length < leastMembers) continue;
    for (const slot of spread(story.members, mostAsked)) reseat(parts, slot);
  }
}

function reseat({ board, judge, pins, rules }: EngineParts, slot: number): void {
  const own = board.storyOf(slot);
  if (own === undefined || own.members.length < 2 || pins.linkedWith(board.itemId(slot)).length > 0)
    return;
  const { near } = judge.consider(slot);
  const stays = judge.oddsIn(slot, own);
  const itemId = board.itemId(slot);
  const best = near.find(
    ({ story }) => story !== own && !pins.forbid([itemId], story.members.map(board.itemId)),
  );
  const { joinFrom, leaveFrom, reseatStep } = rules.settings;
  if (best !== undefined && best.odds >= joinFrom && best.odds >= stays + reseatStep) {
    board.put(slot, best.story);
    board.note(slot, 'revisited', probability(best.odds), {});
  } else if (stays < leaveFrom) {
    board.found(slot, false);
    board.note(slot, 'revisited', 1 - probability(stays), {});
  }
}
