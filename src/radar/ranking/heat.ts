// The heat of a story is that of its hottest development: small events of one product do not add
// up. Developments of a single report count together. The heat of a development is the sum of tier
// weights over independent owners, halved with every half-life of age. Each owner counts once, and
// signals are damped.
import { HOUR_MS } from '../../kernel/time/durations.ts';
import type { RankingRules } from './ranking-rules.ts';

/** A report as input of the ranking. Times are epoch milliseconds. */
export type RankedReport = {
  readonly id: string;
  readonly storyId: string;
  readonly sourceId: string;
  readonly owner: string;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  readonly participation: 'editorial' | 'signal' | 'isolated';
  /** Publication time, otherwise discovery time. */
  readonly at: number;
  /** Null: not grouped; such reports of a story count as one development. */
  readonly development: string | null;
};

/** The reports of one story. */
export function heatAt(rules: RankingRules, reports: readonly RankedReport[], now: number): number {
  const groups = [...Map.groupBy(reports, ({ development }) => development).values()];
  const shared = groups.filter(({ length }) => length > 1);
  const single = groups.filter(({ length }) => length === 1).flat();
  return Math.max(...[...shared, single].map((each) => developmentHeat(rules, each, now)));
}

function developmentHeat(
  rules: RankingRules,
  reports: readonly RankedReport[],
  now: number,
): number {
  const recent = reports.filter((report) => isWithin(rules, report, now));
  const freshness = ({ at }: RankedReport) => 2 ** (-(now - at) / (rules.halfLifeHours * HOUR_MS));
  const votes = new Map<string, number>();
  let signals = 0;
  for (const report of recent) {
    if (report.participation === 'signal') signals += freshness(report);
    if (report.participation !== 'editorial') continue;
    const vote = rules.tiers[report.tier] * freshness(report);
    votes.set(report.owner, Math.max(vote, votes.get(report.owner) ?? 0));
  }
  let heat = rules.engagement * Math.log2(1 + signals);
  for (const vote of votes.values()) heat += vote;
  return heat;
}

export function isWithin(
  rules: RankingRules,
  { at }: Pick<RankedReport, 'at'>,
  now: number,
): boolean {
  return at <= now && now - at < rules.windowHours * HOUR_MS;
}
