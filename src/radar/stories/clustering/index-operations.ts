// Operations on the story index: evict old stories, move items for an operator, compact memory.
import type { EngineState } from './engine-state.ts';
import type { Assignment } from './story-item.ts';

/** Compacting visits all live items, so it runs only when an eighth of the slots are empty. */
const emptyShare = 1 / 8;

/** Evicts stories whose newest report is older than this time (ms); returns the number of items. */
export function forget(state: EngineState, olderThanMs: number): number {
  const { stories } = state;
  const oldStories = [...stories.live.values()].filter(({ newestMs }) => newestMs < olderThanMs);
  const slots = oldStories.flatMap(({ members }) => members);
  for (const slot of slots) stories.remove(slot);
  if (slots.length > 0) compactIndex(state);
  return slots.length;
}

export function compactIndex({ stories, index }: EngineState): void {
  const usedSlots = stories.usedSlots();
  if (index.size - usedSlots.length <= index.size * emptyShare) return;
  index.compact(usedSlots);
  stories.compact(usedSlots);
}

/** Moves items into a story, or into a new one; unknown items are ignored. */
export function move(
  { stories }: EngineState,
  itemIds: readonly string[],
  storyId: string | null,
): readonly Assignment[] {
  const slots = itemIds.map(stories.slotOf).filter((slot) => slot !== undefined);
  let story = storyId === null ? undefined : stories.live.get(storyId);
  return slots.map((slot) => {
    if (story === undefined) story = stories.createStory(slot, false, storyId ?? undefined);
    else stories.moveItem(slot, story);
    return stories.logAssignment(slot, 'pinned', 1, {});
  });
}
