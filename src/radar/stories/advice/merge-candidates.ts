// Which pairs of stories somebody else is asked about before they are merged: those whose link lies
// near the bar. They wait for the answer; what is sure, and what nobody answers, the engine decides
// alone. Nothing is asked until `begin` was called.

import { spread } from '../clustering/sample-evenly.ts';
import type { Board, Story } from '../clustering/story-index.ts';

/** Two stories by some of their items, the first of each in front. */
export type MergeDoubt = {
  readonly a: readonly string[];
  readonly b: readonly string[];
};

/** `disagree`: the two answers did not agree; `unheard`: there were not two. */
export type MergeVerdict = MergeDoubt & {
  readonly says: 'same' | 'apart' | 'disagree' | 'unheard';
};

export type MergeDoubts = {
  begin(): void;
  /** Log-odds as the merge pass is to take them: minus infinity keeps apart. */
  weigh(a: Story, b: Story, linkFrom: (bar: number) => number): number;
  /** So far under the bar a story stands that somebody may have said is one. */
  readonly below: number;
  /** Whether somebody said that both are one. */
  isSaid(a: Story, b: Story): boolean;
  /** Pairs that wait for an answer; the likeliest first. They are let go. */
  take(): readonly MergeDoubt[];
  /** `decide` is called with them known. What nobody answered may be asked another time. */
  hear(verdicts: readonly MergeVerdict[], decide: () => void): void;
};

/** Log-odds around the bar from which stories are merged. */
const greyZone = { below: 1.2, above: 1.2 } as const;
const mostRemembered = 20_000;
const mostTold = 4;

export function openMergeDoubts({ itemId }: Board, mergeFrom: number): MergeDoubts {
  const known = new Map<string, MergeVerdict['says']>();
  const waiting = new Map<string, MergeDoubt & { readonly odds: number }>();
  let hasBegun = false;
  const told = ({ members }: Story) => spread(members, mostTold).map(itemId);
  const saidOf = (a: Story, b: Story) => known.get(keyOf({ a: told(a), b: told(b) }));
  const doubt = (a: Story, b: Story, odds: number): void => {
    const pair = { a: told(a), b: told(b) };
    waiting.set(keyOf(pair), { ...pair, odds });
  };
  return {
    begin: () => {
      hasBegun = true;
    },
    weigh: (a, b, linkFrom) => {
      const own = linkFrom(mergeFrom);
      if (!hasBegun || Number.isFinite(linkFrom(mergeFrom + greyZone.above))) return own;
      const odds = Number.isFinite(own) ? own : linkFrom(mergeFrom - greyZone.below);
      if (!Number.isFinite(odds)) return own;
      const says = saidOf(a, b);
      if (says === 'same') return Math.max(odds, mergeFrom + 0.5);
      if (says === 'disagree' || says === 'unheard') return own;
      if (says === undefined) doubt(a, b, odds);
      return Number.NEGATIVE_INFINITY;
    },
    get below() {
      return hasBegun ? greyZone.below : 0;
    },
    isSaid: (a, b) => known.size > 0 && saidOf(a, b) === 'same',
    take: () => {
      const all = [...waiting.values()].sort((one, other) => other.odds - one.odds);
      waiting.clear();
      return all.map(({ a, b }) => ({ a, b }));
    },
    hear: (verdicts, decide) => {
      for (const verdict of verdicts) known.set(keyOf(verdict), verdict.says);
      decide();
      for (const verdict of verdicts) if (verdict.says === 'unheard') known.delete(keyOf(verdict));
      for (const [oldest] of known) {
        if (known.size <= mostRemembered) break;
        known.delete(oldest);
      }
    },
  };
}

/** The same whichever comes first. */
function keyOf({ a, b }: MergeDoubt): string {
  const [one = '', other = ''] = [a[0], b[0]];
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
