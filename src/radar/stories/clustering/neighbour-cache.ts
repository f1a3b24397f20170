// Caches the stories near an item at its assignment, so that the next repair need not search for
// them. It stores slots, because stories may merge in between.
import type { Story, StoryIndex } from './story-index.ts';

export type NeighbourCache = {
  add(slot: number, nearStories: readonly Story[]): void;
  /** Returns and clears the cached neighbours, by current story. */
  takeNeighbours(stories: StoryIndex): ReadonlyMap<Story, ReadonlySet<Story>>;
  /** Clears the cache before slots are renumbered. */
  clear(): void;
};

export function openNeighbourCache(): NeighbourCache {
  let pairs: [slot: number, other: number][] = [];
  return {
    add(slot, neighbours) {
      for (const story of neighbours) {
        const first = story.members[0];
        if (first !== undefined && first !== slot) pairs.push([slot, first]);
      }
    },
    takeNeighbours(stories) {
      const cachedNeighbours = new Map<Story, Set<Story>>();
      const note = (story: Story, other: Story): void => {
        const cached = cachedNeighbours.get(story);
        if (cached === undefined) cachedNeighbours.set(story, new Set([other]));
        else cached.add(other);
      };
      for (const [slot, other] of pairs) {
        const [first, second] = [stories.storyOf(slot), stories.storyOf(other)];
        if (first === undefined || second === undefined || first === second) continue;
        note(first, second);
        note(second, first);
      }
      pairs = [];
      return cachedNeighbours;
    },
    clear() {
      pairs = [];
    },
  };
}
