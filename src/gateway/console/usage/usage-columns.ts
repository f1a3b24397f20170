// Groups usage into chart columns: one per day, or one per week for long ranges. A comparison has
// at most six series; the smallest groups are merged into one series.
import { daysBetween, parseShanghaiDay } from '../../../kernel/time/calendar.ts';
import { formatShortDay } from '../../../kernel/web/format-time.ts';
import type { Language } from '../../../kernel/web/language.ts';
import type { WalletUsage } from '../../wallet/history/read-usage.ts';
import { type DayRange, daysOf } from './day-range.ts';

const MAX_DAY_COLUMNS = 100;
const MAX_SERIES = 6;
/** 5 January 1970, a Monday. */
const FIRST_MONDAY = '1970-01-05';

export type UsageColumn = {
  /** Label of the first day. */
  readonly name: string;
  /** Label of the range of days. */
  readonly span: string;
  readonly days: readonly string[];
};

/** `count`: the number of days in the range. */
export function toColumns(language: Language, range: DayRange) {
  const days = daysOf(range);
  const isByWeek = days.length > MAX_DAY_COLUMNS;
  const daysPerColumn = isByWeek ? 7 : 1;
  const dayGroups = Map.groupBy(days, (day) =>
    Math.floor(daysBetween(FIRST_MONDAY, day) / daysPerColumn),
  );
  const columns = [...dayGroups.values()].map((group): UsageColumn => {
    const [first = '', last = first] = [group[0], group.at(-1)];
    const name = nameOf(language, first);
    const span = last === first ? name : `${name} – ${nameOf(language, last)}`;
    return { days: group, name, span };
  });
  return { columns, isByWeek, count: days.length };
}

const nameOf = (language: Language, day: string) =>
  formatShortDay(language, parseShanghaiDay(day).startsAt);

/** Orders rows by charge, then by number of calls, the largest first. */
export const compareUsage = (a: WalletUsage, b: WalletUsage): number =>
  Number(b.charge.total - a.charge.total) || b.calls - a.calls;

/** Selects the groups with a series of their own. The other groups are merged into one series. */
export function selectTopGroups(rows: readonly WalletUsage[]): readonly string[] {
  const sortedRows = rows.toSorted(compareUsage);
  const seriesCount = sortedRows.length > MAX_SERIES ? MAX_SERIES - 1 : MAX_SERIES;
  return sortedRows.slice(0, seriesCount).map(({ group }) => group);
}

/** Adds the values of each column, for the rows of one series. */
export function sumByColumn(
  columns: readonly UsageColumn[],
  rows: readonly WalletUsage[],
  measure: (row: WalletUsage) => number,
): readonly number[] {
  const byDay = new Map<string, number>();
  for (const row of rows) {
    // `group` begins with the day, YYYY-MM-DD.
    const day = row.group.slice(0, 10);
    byDay.set(day, (byDay.get(day) ?? 0) + measure(row));
  }
  return columns.map(({ days }) => days.reduce((sum, day) => sum + (byDay.get(day) ?? 0), 0));
}
