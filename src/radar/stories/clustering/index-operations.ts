// What is done to stories from outside: old ones are let go, an operator moves items by hand, and
// memory that nothing uses any more is given back.

import type { EngineParts } from './engine-state.ts';
import type { Assignment } from './story-item.ts';

/** Compacting walks over all that is live: worth it once an eighth of the slots are empty. */
const emptyShare = 1 / 8;

/** Stories whose newest report is older than this moment go; answers how many items went. */
export function forget(parts: EngineParts, olderThanMs: number): number {
  const { board } = parts;
  const old = [...board.stories.values()].filter(({ newestMs }) => newestMs < olderThanMs);
  let gone = 0;
  for (const { members } of old) {
    for (const slot of members) {
      parts.taught.delete(board.itemId(slot));
      board.remove(slot);
      gone += 1;
    }
  }
  if (gone > 0) giveBack(parts);
  return gone;
}

export function giveBack({ board, memory, seen }: EngineParts): void {
  const kept = board.taken();
  if (memory.size - kept.length <= memory.size * emptyShare) return;
  seen.clear();
  memory.compact(kept);
  board.compact(kept);
}

/** Puts items into a story, or into a new one; those that are not known are passed over. */
export function move(
  { board }: EngineParts,
  itemIds: readonly string[],
  storyId: string | null,
): readonly Assignment[] {
  const slots = itemIds.map(board.slotOf).filter((slot) => slot !== undefined);
  let story = storyId === null ? undefined : board.stories.get(storyId);
  return slots.map((slot) => {
    if (story === undefined) story = board.found(slot, false, storyId ?? undefined);
    else board.put(slot, story);
    return board.note(slot, 'pinned', 1, {});
  });
}
