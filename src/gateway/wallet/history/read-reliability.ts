// Computes the share of successful calls of each capability, over all accounts in live mode.
import {
  openRefreshingValue,
  type RefreshingValue,
} from '../../../kernel/concurrency/refreshing-value.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { shanghaiDay } from '../../../kernel/time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { readRevenue } from '../../../store/ledger/usage-rollups.ts';

export const RELIABILITY_DAYS = 30;

/** Started calls, and successful calls among these. */
export type CallTotals = { readonly calls: number; readonly succeeded: number };

export type Reliability = {
  /** Time of the sums in epoch milliseconds. */
  readonly at: number;
  /** By capability, today in Asia/Shanghai. */
  readonly today: ReadonlyMap<string, CallTotals>;
  /** By capability, the last `RELIABILITY_DAYS` days including today. */
  readonly days: ReadonlyMap<string, CallTotals>;
};

/** The value is cached for a minute, because visitors without an account may read it. */
export function openReliability(world: World, db: Db): RefreshingValue<Reliability> {
  return openRefreshingValue(world, MINUTE_MS, async () => {
    const at = world.clock.now();
    const today = shanghaiDay(at).day;
    const from = shanghaiDay(at - (RELIABILITY_DAYS - 1) * DAY_MS).day;
    const rows = await readRevenue(db, { from, to: today, groupBy: 'day' });
    const dayCounts = rows.map(({ group, calls, succeeded }) => {
      const [day = '', capability = ''] = group.split(' ');
      return { day, capability, calls, succeeded };
    });
    const sumByCapability = (counts: typeof dayCounts) =>
      new Map(
        [...Map.groupBy(counts, ({ capability }) => capability)].map(([capability, days]) => [
          capability,
          {
            calls: days.reduce((sum, { calls }) => sum + calls, 0),
            succeeded: days.reduce((sum, { succeeded }) => sum + succeeded, 0),
          },
        ]),
      );
    return {
      at,
      today: sumByCapability(dayCounts.filter(({ day }) => day === today)),
      days: sumByCapability(dayCounts),
    };
  });
}
