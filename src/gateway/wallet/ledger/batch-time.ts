// The Shanghai day and month that an instant falls in, as the ledger's statements want them.

import { MICRO_FEN_PER_FEN } from '../../../kernel/money.ts';
import { periodsAt, shanghaiDay, shanghaiMonth } from '../../../kernel/time/calendar.ts';
import type { Moment } from '../../../store/ledger/parameters.ts';
import type { QuotaUse } from './wallet.ts';

/** The free allowance of a Shanghai day (contract: 200 fen). */
const DAILY_ALLOWANCE = 200n * MICRO_FEN_PER_FEN;

export function momentAt(now: number): Moment {
  return {
    now,
    ...periodsAt(now),
    dayEndsAt: shanghaiDay(now).endsAt,
    monthEndsAt: shanghaiMonth(now).endsAt,
    allowance: DAILY_ALLOWANCE,
  };
}

/** The same for many instants in a row: the calendar is asked once a day. */
export function openMoments(): (now: number) => Moment {
  let last: Moment | null = null;
  let startsAt = 0;
  return (now) => {
    if (last === null || now < startsAt || now >= last.dayEndsAt) {
      last = momentAt(now);
      startsAt = shanghaiDay(now).startsAt;
    }
    return { ...last, now };
  };
}

export function quotaUseOf(moment: Moment, day: number, month: number): QuotaUse {
  return {
    day: { used: day, resetsAt: moment.dayEndsAt },
    month: { used: month, resetsAt: moment.monthEndsAt },
  };
}
