// Which item is in which story, and the log of how it came there. Stories know their items by slot.
import type { Assignment, Reason } from './item.ts';

export type Story = {
  readonly id: string;
  /** Slots, in the order they joined. Empty once the story went into another. */
  members: number[];
  /** NaN while no member has a time. */
  newestMs: number;
  /** A roundup, an item without words or one that stands alone: nothing joins it. */
  readonly isClosed: boolean;
};

export type Board = {
  readonly stories: ReadonlyMap<string, Story>;
  itemId(slot: number): string;
  slotOf(itemId: string): number | undefined;
  storyOf(slot: number): Story | undefined;
  /** Gives a slot its item's id. */
  name(slot: number, itemId: string): void;
  /** A new story; its id is the slot's item unless one is given. */
  found(slot: number, isClosed: boolean, id?: string): Story;
  /** Moves an item into a story, out of the one it was in. */
  put(slot: number, story: Story): void;
  note(slot: number, reason: Reason, score: number, features: Assignment['features']): Assignment;
  /** Stories that changed since the last call. */
  takeTouched(): readonly Story[];
  log(): readonly Assignment[];
  assigned(): readonly { readonly id: string; readonly story: string }[];
};

/** `timeMs` of a slot, null where it has none. */
export function openBoard(rulesVersion: string, timeMs: (slot: number) => number | null): Board {
  const ids: string[] = [];
  const slots = new Map<string, number>();
  const storyOf: Story[] = [];
  const stories = new Map<string, Story>();
  const touched = new Set<Story>();
  const log: Assignment[] = [];

  const put = (slot: number, story: Story): void => {
    const before = storyOf[slot];
    if (before === story) return;
    if (before !== undefined) {
      before.members = before.members.filter((member) => member !== slot);
      if (before.members.length === 0) stories.delete(before.id);
    }
    story.members.push(slot);
    storyOf[slot] = story;
    touched.add(story);
    const time = timeMs(slot);
    if (time !== null && !(time <= story.newestMs)) story.newestMs = time;
  };
  return {
    stories,
    itemId: (slot) => ids[slot] ?? '',
    slotOf: (itemId) => slots.get(itemId),
    storyOf: (slot) => storyOf[slot],
    name(slot, itemId) {
      ids[slot] = itemId;
      slots.set(itemId, slot);
    },
    found(slot, isClosed, given) {
      let id = given ?? ids[slot] ?? '';
      // An item that left the story it founded may found another one.
      for (let next = 2; stories.has(id); next += 1) id = `${ids[slot]}~${next}`;
      const story: Story = { id, members: [], newestMs: Number.NaN, isClosed };
      stories.set(id, story);
      put(slot, story);
      return story;
    },
    put,
    note(slot, reason, score, features) {
      const [itemId, storyId] = [ids[slot] ?? '', storyOf[slot]?.id ?? ''];
      const entry: Assignment = { itemId, storyId, score, features, rulesVersion, reason };
      log.push(entry);
      return entry;
    },
    takeTouched() {
      const list = [...touched];
      touched.clear();
      return list;
    },
    log: () => log,
    assigned: () => ids.map((id, slot) => ({ id, story: storyOf[slot]?.id ?? id })),
  };
}
