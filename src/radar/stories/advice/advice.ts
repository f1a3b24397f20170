// What a model has to say about one item before it is placed, in ids of items: the engine resolves
// them when it places it, whatever was decided in between. Values that cross between threads.

import type { EngineParts } from '../clustering/engine-state.ts';
import { spread } from '../clustering/sample-evenly.ts';
import type { Considered } from '../scoring/match-scorer.ts';

export type Advice = {
  /** An item that tells the same event; null: nobody said so. */
  readonly join: string | null;
  /** Items that tell another. */
  readonly apart: readonly string[];
  /** By item near it: what its vector's nearness adds to the log-odds. */
  readonly nearness: ReadonlyMap<string, number>;
};

export const noAdvice: Advice = { join: null, apart: [], nearness: new Map() };

/** Where the engine is this sure, nobody's advice is asked or heeded. */
const greyZone = { below: 2.2, above: 1.2 } as const;

export const isGrey = (odds: number, joinFrom: number): boolean =>
  odds >= joinFrom - greyZone.below && odds <= joinFrom + greyZone.above;

/** Slots of items near by their vectors: candidates that words may not have found. */
export function slotsNear({ board }: EngineParts, { nearness, join }: Advice): readonly number[] {
  const ids = join === null ? [...nearness.keys()] : [join, ...nearness.keys()];
  return ids.map(board.slotOf).filter((slot) => slot !== undefined);
}

/** `advised`: what moved it, for the log. */
type Heeded = Considered & { readonly advised?: Readonly<Record<string, number>> };

/** The stories as the advice has them, the likeliest first. */
export function heed(
  { board, rules }: EngineParts,
  near: readonly Considered[],
  { join, apart, nearness }: Advice,
): readonly Heeded[] {
  const { joinFrom } = rules.settings;
  const storyOf = (itemId: string) => {
    const slot = board.slotOf(itemId);
    return slot === undefined ? undefined : board.storyOf(slot);
  };
  const joined = join === null ? undefined : storyOf(join);
  const others = new Set(apart.map(storyOf));
  const added = new Map<unknown, number>();
  for (const [itemId, more] of nearness) {
    const story = storyOf(itemId);
    added.set(story, Math.max(more, added.get(story) ?? Number.NEGATIVE_INFINITY));
  }
  const heeded = near.map((considered): Heeded => {
    const { story, odds } = considered;
    if (story === joined) {
      return { ...considered, odds: Math.max(odds, joinFrom + 0.5), advised: { model: 1 } };
    }
    if (others.has(story)) {
      return { ...considered, odds: Math.min(odds, joinFrom - 0.5), advised: { model: -1 } };
    }
    // Beside the other views and never over them: what is sure stays so.
    const more = isGrey(odds, joinFrom) ? (added.get(story) ?? 0) : 0;
    if (more === 0) return considered;
    return { ...considered, odds: odds + more, advised: { nearness: more } };
  });
  const first = (one: Considered) => (one.story === joined ? 0 : 1);
  return heeded.sort((a, b) => first(a) - first(b) || b.odds - a.odds);
}

export type NearProposal = {
  readonly storyId: string;
  /** Log-odds, with what vectors add. */
  readonly odds: number;
  /** The first of its items, the last, and some between. */
  readonly itemIds: readonly string[];
};

export type Proposal = {
  readonly itemId: string;
  /** The likeliest first; empty for an item that will stand alone whatever anybody says. */
  readonly near: readonly NearProposal[];
};

const mostProposed = 8;
const mostItems = 3;

/** How `near` looks from outside. */
export function proposed(
  { board, pins }: EngineParts,
  itemId: string,
  near: readonly Considered[],
): Proposal {
  const open = near.filter(({ story }) => !pins.forbid([itemId], story.members.map(board.itemId)));
  return {
    itemId,
    near: open.slice(0, mostProposed).map(({ story, odds }) => {
      const itemIds = spread(story.members, mostItems).map(board.itemId);
      return { storyId: story.id, odds, itemIds };
    }),
  };
}
