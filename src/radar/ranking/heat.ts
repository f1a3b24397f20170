// How hot a story is at a moment: the sum over independent owners of their tier's weight, halved
// with every half-life of age; one vote per owner, and what signals add is damped.
import { HOUR_MS } from '../../kernel/time/durations.ts';
import type { HotRules } from './ranking-rules.ts';

/** A report as the ranking sees it. Instants are epoch milliseconds. */
export type HotReport = {
  readonly id: string;
  readonly storyId: string;
  readonly sourceId: string;
  readonly owner: string;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  readonly participation: 'editorial' | 'signal' | 'isolated';
  /** Publication, else discovery. */
  readonly at: number;
};

export function heatAt(rules: HotRules, reports: readonly HotReport[], now: number): number {
  const heard = reports.filter((report) => isWithin(rules, report, now));
  const freshness = ({ at }: HotReport) => 2 ** (-(now - at) / (rules.halfLifeHours * HOUR_MS));
  const votes = new Map<string, number>();
  let signals = 0;
  for (const report of heard) {
    if (report.participation === 'signal') signals += freshness(report);
    if (report.participation !== 'editorial') continue;
    const vote = rules.tiers[report.tier] * freshness(report);
    votes.set(report.owner, Math.max(vote, votes.get(report.owner) ?? 0));
  }
  let heat = rules.engagement * Math.log2(1 + signals);
  for (const vote of votes.values()) heat += vote;
  return heat;
}

export function isWithin(rules: HotRules, { at }: Pick<HotReport, 'at'>, now: number): boolean {
  return at <= now && now - at < rules.windowHours * HOUR_MS;
}
