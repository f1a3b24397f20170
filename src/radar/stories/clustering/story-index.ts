// The assignment of items to stories with its log. Stories store the slots of their items.
import type { Assignment, Reason } from './story-item.ts';

export type Story = {
  readonly id: string;
  /** Slots in order of assignment. Empty after a merge into another story. */
  members: number[];
  /** Time of the story's newest report; NaN while no member has a time. */
  newestMs: number;
  /** Closed to new items: a roundup, an item without words, or an item that stands alone. */
  readonly isClosed: boolean;
};

export type StoryIndex = {
  readonly live: ReadonlyMap<string, Story>;
  itemId(slot: number): string;
  slotOf(itemId: string): number | undefined;
  storyOf(slot: number): Story | undefined;
  /** Sets the item id of a slot. */
  setItemId(slot: number, itemId: string): void;
  /** Creates a story; its id is the slot's item unless one is given. */
  createStory(slot: number, isClosed: boolean, id?: string): Story;
  /** Moves an item from its current story into another one. */
  moveItem(slot: number, story: Story): void;
  /** Removes an item; a story without items is deleted. */
  remove(slot: number): void;
  /** Slots with an item, ascending. */
  usedSlots(): readonly number[];
  /** Renumbers slots from 0: only those of `kept`, in that order. */
  compact(liveSlots: readonly number[]): void;
  logAssignment(
    slot: number,
    reason: Reason,
    score: number,
    features: Assignment['features'],
  ): Assignment;
  log(): readonly Assignment[];
  /** The log since it was last taken; the index drops these entries. */
  takeLog(): readonly Assignment[];
  assigned(): readonly { readonly id: string; readonly story: string }[];
};

/** The story of a slot; null for a slot without an item. */
type TimeOf = (slot: number) => number | null;

export function openStoryIndex(rulesVersion: string, timeMs: TimeOf): StoryIndex {
  let ids: string[] = [];
  const slots = new Map<string, number>();
  let storyOf: (Story | undefined)[] = [];
  const stories = new Map<string, Story>();
  let log: Assignment[] = [];

  const removeItem = (slot: number, story: Story): void => {
    removeMember(story, slot, timeMs);
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
    live: stories,
    itemId: (slot) => ids[slot] ?? '',
    slotOf: (itemId) => slots.get(itemId),
    storyOf: (slot) => storyOf[slot],
    setItemId(slot, itemId) {
      ids[slot] = itemId;
      slots.set(itemId, slot);
    },
    createStory(slot, isClosed, storyId) {
      const id = freeId(stories, ids[slot] ?? '', storyId);
      const story: Story = { id, members: [], newestMs: Number.NaN, isClosed };
      stories.set(id, story);
      putItem(slot, story);
      return story;
    },
    moveItem: putItem,
    logAssignment(slot, reason, score, features) {
      const [itemId, storyId] = [ids[slot] ?? '', storyOf[slot]?.id ?? ''];
      const entry: Assignment = { itemId, storyId, score, features, rulesVersion, reason };
      log.push(entry);
      return entry;
    },
    remove(slot) {
      const story = storyOf[slot];
      if (story === undefined) return;
      removeItem(slot, story);
      storyOf[slot] = undefined;
      slots.delete(ids[slot] ?? '');
    },
    usedSlots: () => storyOf.flatMap((story, slot) => (story === undefined ? [] : [slot])),
    compact(liveItems) {
      const renamed = new Map(liveItems.map((slot, to) => [slot, to]));
      ids = liveItems.map((slot) => ids[slot] ?? '');
      storyOf = liveItems.map((slot) => storyOf[slot]);
      slots.clear();
      for (const [slot, id] of ids.entries()) slots.set(id, slot);
      for (const story of stories.values()) rename(story, renamed);
    },
    log: () => log,
    takeLog() {
      const entries = log;
      log = [];
      return entries;
    },
    assigned: () =>
      storyOf.flatMap((story, slot) =>
        story === undefined ? [] : [{ id: ids[slot] ?? '', story: story.id }],
      ),
  };
}

function removeMember(story: Story, slot: number, timeMs: (slot: number) => number | null): void {
  story.members = story.members.filter((member) => member !== slot);
  if (timeMs(slot) === story.newestMs) story.newestMs = newestOf(story.members.map(timeMs));
}

/** An item that left the story it founded may found another one. */
function freeId(stories: ReadonlyMap<string, Story>, itemId: string, storyId?: string): string {
  let id = storyId ?? itemId;
  for (let next = 2; stories.has(id); next += 1) id = `${itemId}~${next}`;
  return id;
}

function rename(story: Story, renamed: ReadonlyMap<number, number>): void {
  story.members = story.members.map((slot) => renamed.get(slot) ?? 0);
}

function newestOf(times: readonly (number | null)[]): number {
  return times.reduce<number>(
    (newest, time) => (time === null || time <= newest ? newest : time),
    Number.NaN,
  );
}
