// The heat of a story is the heat of its hottest development, so small events of one product do not
// add up. All developments with a single report count together as one development. The heat of a
// development is the sum of tier weights over independent owners, halved with every half-life of
// age. Each owner counts once, and signals are damped.
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

/** The heat of the story with these reports, at `now`. */
export function heatAt(rules: RankingRules, reports: readonly RankedReport[], now: number): number {
  const groups = [...Map.groupBy(reports, ({ development }) => development).values()];
  const sharedDevelopments = groups.filter(({ length }) => length > 1);
  const singleReports = groups.filter(({ length }) => length === 1).flat();
  return Math.max(
    ...[...sharedDevelopments, singleReports].map((group) => developmentHeat(rules, group, now)),
  );
}

function developmentHeat(
  rules: RankingRules,
  reports: readonly RankedReport[],
  now: number,
): number {
  const recentReports = reports.filter((report) => isWithin(rules, report, now));
  const freshnessOf = ({ at }: RankedReport) =>
    2 ** (-(now - at) / (rules.halfLifeHours * HOUR_MS));
  const weightByOwner = new Map<string, number>();
  let signals = 0;
  for (const report of recentReports) {
    if (report.participation === 'signal') signals += freshnessOf(report);
    if (report.participation !== 'editorial') continue;
    const ownerWeight = rules.tiers[report.tier] * freshnessOf(report);
    weightByOwner.set(report.owner, Math.max(ownerWeight, weightByOwner.get(report.owner) ?? 0));
  }
  let heat = rules.engagement * Math.log2(1 + signals);
  for (const ownerWeight of weightByOwner.values()) heat += ownerWeight;
  return heat;
}

export function isWithin(
  rules: RankingRules,
  { at }: Pick<RankedReport, 'at'>,
  now: number,
): boolean {
  return at <= now && now - at < rules.windowHours * HOUR_MS;
}
