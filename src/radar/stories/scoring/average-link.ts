// Computes the likelihood that two stories are one event: the mean log-odds over pairs of their
// reports (average link). No single pair decides. Two single reports need more similarity, because
// a mean over few pairs is often high by chance.
import { sampleEvenly } from '../clustering/sample-evenly.ts';

export type LinkSettings = {
  /** Maximum number of compared reports of each story. */
  readonly linkMembers: number;
  /**
   * Additional log-odds that a link of two single reports needs. When the larger story has n
   * reports, the link needs an n-th of this value.
   */
  readonly pairMargin: number;
};

export function openAverageLink(
  { linkMembers, pairMargin }: LinkSettings,
  pairOdds: (a: number, b: number) => number,
): (a: readonly number[], b: readonly number[]) => number {
  return (a, b) => {
    const members = sampleEvenly(a, linkMembers);
    const right = sampleEvenly(b, linkMembers);
    let sum = 0;
    for (const member of members) for (const other of right) sum += pairOdds(member, other);
    return sum / (members.length * right.length) - pairMargin / Math.max(a.length, b.length);
  };
}

export const probability = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
