// Pairs of stories whose merge needs a model's verdict because their link is near the threshold.
// The engine decides all other pairs. Before `begin`, no pair is collected.

import { sampleEvenly } from '../clustering/sample-evenly.ts';
import type { Story, StoryIndex } from '../clustering/story-index.ts';

/** Two stories, each identified by some of its items, the first item first. */
export type MergeCandidate = {
  readonly a: readonly string[];
  readonly b: readonly string[];
};

/** `disagree`: the two replies disagreed; `no-reply`: a reply is missing. */
export type MergeVerdict = MergeCandidate & {
  readonly verdict: 'same' | 'apart' | 'disagree' | 'no-reply';
};

export type MergeCandidates = ReturnType<typeof openMergeCandidates>;

type Members = Pick<Story, 'members'>;

/** Log-odds around the merge threshold that count as uncertain. */
const uncertainRange = { below: 1.2, above: 1.2 } as const;
const maxRemembered = 20_000;
const maxItemsOfStory = 4;

export function openMergeCandidates({ itemId }: StoryIndex, joinFrom: number) {
  const knownVerdicts = new Map<string, MergeVerdict['verdict']>();
  const waiting = new Map<string, MergeCandidate & { readonly odds: number }>();
  let hasBegun = false;
  const sampledIds = ({ members }: Members) => sampleEvenly(members, maxItemsOfStory).map(itemId);
  const verdictOf = (a: Members, b: Members) =>
    knownVerdicts.size === 0
      ? undefined
      : knownVerdicts.get(keyOf({ a: sampledIds(a), b: sampledIds(b) }));
  const isUncertain = (odds: number) =>
    odds >= joinFrom - uncertainRange.below && odds < joinFrom + uncertainRange.above;
  /** Null: the pair is uncertain and has no verdict. */
  const decide = (a: Members, b: Members, odds: number): number | null => {
    const ownOdds = odds >= joinFrom ? odds : Number.NEGATIVE_INFINITY;
    if (!isUncertain(odds)) return ownOdds;
    const verdict = verdictOf(a, b);
    if (verdict === 'same') return Math.max(odds, joinFrom + 0.5);
    if (verdict === 'apart') return Number.NEGATIVE_INFINITY;
    return hasBegun && verdict === undefined ? null : ownOdds;
  };
  return {
    /** From now on uncertain merges wait for a verdict. */
    begin: (): void => {
      hasBegun = true;
    },
    /** Log-odds for the merge pass; minus infinity keeps the stories apart. */
    weigh: (a: Members, b: Members, odds: number): number => {
      const finalOdds = decide(a, b, odds);
      if (finalOdds !== null) return finalOdds;
      const pair = { a: sampledIds(a), b: sampledIds(b) };
      waiting.set(keyOf(pair), { ...pair, odds });
      return Number.NEGATIVE_INFINITY;
    },
    /** Like `weigh`, but an uncertain pair without a verdict is not collected. */
    weighWithoutWaiting: (a: Members, b: Members, odds: number): number =>
      decide(a, b, odds) ?? Number.NEGATIVE_INFINITY,
    /** Whether uncertain merges wait for a verdict. */
    get isOpen(): boolean {
      return hasBegun;
    },
    /** Whether the verdict was "same event". */
    isConfirmed: (a: Members, b: Members) => verdictOf(a, b) === 'same',
    /** Removes and returns the waiting pairs, most likely first. */
    takeCandidates: (): readonly MergeCandidate[] => {
      const all = [...waiting.values()].sort((first, second) => second.odds - first.odds);
      waiting.clear();
      return all.map(({ a, b }) => ({ a, b }));
    },
    /** Runs `merge` with these verdicts. A pair without a reply can be collected again. */
    apply: (verdicts: readonly MergeVerdict[], merge: () => void): void => {
      for (const verdict of verdicts) knownVerdicts.set(keyOf(verdict), verdict.verdict);
      merge();
      for (const verdict of verdicts)
        if (verdict.verdict === 'no-reply') knownVerdicts.delete(keyOf(verdict));
      for (const [oldest] of knownVerdicts) {
        if (knownVerdicts.size <= maxRemembered) break;
        knownVerdicts.delete(oldest);
      }
    },
  };
}

/** A key that does not depend on the order of the pair. */
function keyOf({ a, b }: MergeCandidate): string {
  const [first = '', other = ''] = [a[0], b[0]];
  return first < other ? `${first} ${other}` : `${other} ${first}`;
}
