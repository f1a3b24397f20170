// The Shanghai day and month that an instant falls in, as budgets count them.
import { shanghaiDay, shanghaiMonth } from '../../kernel/calendar.ts';

/** YYYY-MM-DD and YYYY-MM. */
export function periodsAt(now: number): { readonly day: string; readonly month: string } {
  return { day: shanghaiDay(now).day, month: shanghaiMonth(now).day.slice(0, 7) };
}
