// Whether a story rises, against some hours earlier, and only by sources that were read without a
// gap in between: one that could not be read would look like news when it comes back.
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { type HotReport, heatAt } from './heat.ts';
import type { HotRules } from './ranking-rules.ts';

export type Trend = 'new' | 'rising' | 'falling' | 'steady';

/** Null: no source that was observed throughout has reported it. */
export function trendOf(
  rules: HotRules,
  reports: readonly HotReport[],
  observed: ReadonlySet<string>,
  now: number,
): Trend | null {
  const { hours, rising, falling } = rules.trend;
  const then = now - hours * HOUR_MS;
  const known = reports.filter((report) => observed.has(report.sourceId));
  if (known.length === 0) return null;
  if (reports.every((report) => report.at > then)) return 'new';
  const before = heatAt(rules, known, then);
  const ratio = heatAt(rules, known, now) / before;
  if (before === 0 || ratio >= rising) return 'rising';
  return ratio <= falling ? 'falling' : 'steady';
}
