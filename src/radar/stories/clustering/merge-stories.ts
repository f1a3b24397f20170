// Merges live stories of one event, after a clustering or a model's verdict. Pins take precedence.
// Everything is logged.
import type { MergeVerdict } from '../advice/merge-candidates.ts';
import { probability } from '../scoring/average-link.ts';
import { areSeparated, type EngineState } from './engine-state.ts';
import { mergePass } from './merge-pass.ts';
import { sampleEvenly } from './sample-evenly.ts';
import type { Story } from './story-index.ts';

/**
 * `known`: neighbours by story. A story without an entry in `known` gets its neighbours from a
 * search.
 */
export function mergeAmong(
  state: EngineState,
  open: readonly Story[],
  known: ReadonlyMap<Story, ReadonlySet<Story>> = new Map(),
): void {
  const { scorer, mergeCandidates } = state;
  mergePass(open, {
    neighbours: (story) => [...(known.get(story) ?? neighboursOf(state, story))],
    link: (a, b) =>
      areSeparated(state, a.members, b.members)
        ? Number.NEGATIVE_INFINITY
        : mergeCandidates.weigh(a, b, scorer.link(a.members, b.members)),
    merge: (a, b, odds) => merge(state, a, b, odds),
    hasReports: (story) => story.members.length > 0,
  });
}

/** Decides about pairs that have a model's verdict; no other pair is compared. */
export function applyVerdicts(state: EngineState, verdicts: readonly MergeVerdict[]): void {
  const { stories, mergeCandidates } = state;
  mergeCandidates.apply(verdicts, () => {
    const pairs = new Map<Story, Set<Story>>();
    for (const { a, b } of verdicts) {
      const [first, second] = [a[0], b[0]].map((id = '') => stories.storyOfItem(id));
      if (first === undefined || second === undefined || first === second) continue;
      pairs.set(first, (pairs.get(first) ?? new Set()).add(second));
    }
    mergeAmong(state, [...pairs.keys()].filter(isOpen), pairs);
  });
}

/** Number of neighbouring stories of an item that are compared with the item's story. */
const NEIGHBOURS_MAX = 8;

const isOpen = (story: Story) => !story.isClosed && story.members.length > 0;

/** The story with the earlier first item survives. */
function merge({ stories, mergeCandidates }: EngineState, a: Story, b: Story, odds: number) {
  const features = mergeCandidates.isConfirmed(a, b) ? { model: 1 } : {};
  const [survivor, absorbed] = (a.members[0] ?? 0) <= (b.members[0] ?? 0) ? [a, b] : [b, a];
  for (const slot of absorbed.members) {
    stories.moveItem(slot, survivor);
    stories.logAssignment(slot, 'merged', probability(odds), features);
  }
  return survivor;
}

function neighboursOf({ scorer }: EngineState, story: Story): readonly Story[] {
  const neighbours = new Set<Story>();
  for (const slot of sampleEvenly(story.members, 3)) {
    for (const { story: other } of scorer.matches(slot).slice(0, NEIGHBOURS_MAX))
      neighbours.add(other);
  }
  neighbours.delete(story);
  return [...neighbours];
}
