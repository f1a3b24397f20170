// Forecasts spending from vouchers and cash at the rate of the last seven days. The daily allowance
// is free, so it is not counted.
import type { MicroFen } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { daysBetween, shanghaiDay, shanghaiMonth } from '../../../kernel/time/calendar.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import { readWalletUsage } from './read-usage.ts';

const RECENT_DAYS = 7;

export type SpendingForecast = {
  /** Mean spending per day. */
  readonly perDay: MicroFen;
  /** Whole days that the balance lasts, today included. */
  readonly daysLeft: number;
  readonly monthSoFar: MicroFen;
  /** Spending of the month so far and the expected spending of its remaining days. */
  readonly monthExpected: MicroFen;
};

export type ForecastQuery = {
  readonly accountId: string;
  readonly livemode: boolean;
  /** Vouchers and cash that can be spent. */
  readonly balance: MicroFen;
};

/** Null: nothing was spent in the last seven days. */
export async function forecastSpending(
  world: World,
  db: Db,
  { accountId, livemode, balance }: ForecastQuery,
): Promise<SpendingForecast | null> {
  const now = world.clock.now();
  const today = shanghaiDay(now).day;
  const recentFrom = shanghaiDay(now - (RECENT_DAYS - 1) * DAY_MS).day;
  const { day: monthFrom, endsAt } = shanghaiMonth(now);
  const from = recentFrom < monthFrom ? recentFrom : monthFrom;
  const usage = await readWalletUsage(db, {
    accountId,
    livemode,
    from,
    to: today,
    groupBy: 'day',
  });
  const sumSpendingSince = (day: string) =>
    usage.reduce(
      (sum, { group, charge }) => (group < day ? sum : sum + charge.voucher + charge.cash),
      0n,
    );
  const recentSpending = sumSpendingSince(recentFrom);
  if (recentSpending === 0n) return null;
  const monthSoFar = sumSpendingSince(monthFrom);
  const daysAhead = daysBetween(today, shanghaiDay(endsAt - 1).day);
  return {
    perDay: recentSpending / BigInt(RECENT_DAYS),
    daysLeft: Number((balance * BigInt(RECENT_DAYS)) / recentSpending),
    monthSoFar,
    monthExpected: monthSoFar + (recentSpending * BigInt(daysAhead)) / BigInt(RECENT_DAYS),
  };
}
