// The trend of a story: its heat compared with the heat `trend.hours` hours earlier. The two heats
// include only sources without a gap in their fetches. Reports after an outage would look like new
// reports.
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { heatAt, type RankedReport } from './heat.ts';
import type { RankingRules } from './ranking-rules.ts';

export type TopicTrend = 'new' | 'rising' | 'falling' | 'steady';

/** Null when no source without a gap has reported the story. */
export function trendOf(
  rules: RankingRules,
  reports: readonly RankedReport[],
  observed: ReadonlySet<string>,
  now: number,
): TopicTrend | null {
  const { hours, rising, falling } = rules.trend;
  const earlierAt = now - hours * HOUR_MS;
  const observedReports = reports.filter((report) => observed.has(report.sourceId));
  if (observedReports.length === 0) return null;
  if (reports.every((report) => report.at > earlierAt)) return 'new';
  const earlierHeat = heatAt(rules, observedReports, earlierAt);
  const ratio = heatAt(rules, observedReports, now) / earlierHeat;
  if (earlierHeat === 0 || ratio >= rising) return 'rising';
  return ratio <= falling ? 'falling' : 'steady';
}
