// Stores the story of each item, the items of each story as slots, and the log of assignments.
import type { Assignment, Reason } from './story-item.ts';

export type Story = {
  readonly id: string;
  /** Slots in order of assignment. Empty after a merge into another story. */
  members: number[];
  /** Time of the story's newest report; NaN while no member has a time. */
  newestMs: number;
  /** No item may join: the story is a roundup, has no words, or must stand alone. */
  readonly isClosed: boolean;
};

export type StoryIndex = ReturnType<typeof openStoryIndex>;

/** `timeMs`: the time of a slot's item; null: unknown. */
export function openStoryIndex(rulesVersion: string, timeMs: (slot: number) => number | null) {
  let ids: string[] = [];
  const slots = new Map<string, number>();
  let storyOf: (Story | undefined)[] = [];
  const stories = new Map<string, Story>();
  let log: Assignment[] = [];

  const removeItem = (slot: number, story: Story): void => {
    story.members = story.members.filter((member) => member !== slot);
    if (timeMs(slot) === story.newestMs) {
      const times = story.members.flatMap((member) => timeMs(member) ?? []);
      story.newestMs = times.length === 0 ? Number.NaN : Math.max(...times);
    }
    if (story.members.length === 0) stories.delete(story.id);
  };
  const putItem = (slot: number, story: Story): void => {
    const before = storyOf[slot];
    if (before === story) return;
    if (before !== undefined) removeItem(slot, before);
    story.members.push(slot);
    storyOf[slot] = story;
    const time = timeMs(slot);
    if (time !== null && !(time <= story.newestMs)) story.newestMs = time;
  };
  return {
    live: stories as ReadonlyMap<string, Story>,
    itemId: (slot: number) => ids[slot] ?? '',
    slotOf: (itemId: string) => slots.get(itemId),
    storyOf: (slot: number) => storyOf[slot],
    storyOfItem: (itemId: string) => storyOf[slots.get(itemId) ?? -1],
    /** Sets the item id of a slot. */
    setItemId(slot: number, itemId: string): void {
      ids[slot] = itemId;
      slots.set(itemId, slot);
    },
    /** Creates a story; its id is the id of the slot's item unless `storyId` is given. */
    createStory(slot: number, isClosed: boolean, storyId?: string): Story {
      const id = freeId(stories, ids[slot] ?? '', storyId);
      const story: Story = { id, members: [], newestMs: Number.NaN, isClosed };
      stories.set(id, story);
      putItem(slot, story);
      return story;
    },
    /** Moves an item from its current story into another one. */
    moveItem: putItem,
    logAssignment(
      slot: number,
      reason: Reason,
      score: number,
      features: Assignment['features'],
    ): Assignment {
      const [itemId, storyId] = [ids[slot] ?? '', storyOf[slot]?.id ?? ''];
      const entry: Assignment = { itemId, storyId, score, features, rulesVersion, reason };
      log.push(entry);
      return entry;
    },
    /** Removes an item; a story without items is deleted. */
    remove(slot: number): void {
      const story = storyOf[slot];
      if (story === undefined) return;
      removeItem(slot, story);
      storyOf[slot] = undefined;
      slots.delete(ids[slot] ?? '');
    },
    /** Slots with an item, ascending. */
    usedSlots: () => storyOf.flatMap((story, slot) => (story === undefined ? [] : [slot])),
    /** Keeps only these slots and renumbers them from 0 in this order. */
    compact(liveItems: readonly number[]): void {
      const newSlots = new Map(liveItems.map((slot, to) => [slot, to]));
      ids = liveItems.map((slot) => ids[slot] ?? '');
      storyOf = liveItems.map((slot) => storyOf[slot]);
      slots.clear();
      for (const [slot, id] of ids.entries()) slots.set(id, slot);
      for (const story of stories.values())
        story.members = story.members.map((slot) => newSlots.get(slot) ?? 0);
    },
    log: (): readonly Assignment[] => log,
    /** The log since it was last taken; the index drops these entries. */
    takeLog(): readonly Assignment[] {
      const entries = log;
      log = [];
      return entries;
    },
    /** Every item with its story, in order of arrival. */
    assigned: (): readonly { readonly id: string; readonly story: string }[] =>
      storyOf.flatMap((story, slot) =>
        story === undefined ? [] : [{ id: ids[slot] ?? '', story: story.id }],
      ),
  };
}

/** An item that left the story it founded may found another one, which needs another id. */
function freeId(stories: ReadonlyMap<string, Story>, itemId: string, storyId?: string): string {
  let id = storyId ?? itemId;
  for (let next = 2; stories.has(id); next += 1) id = `${itemId}~${next}`;
  return id;
}
