// Computes the time of a batch with its Shanghai day and month, which are parameters of the
// ledger's statements.
import { MICRO_FEN_PER_FEN } from '../../../kernel/money.ts';
import { periodsAt, shanghaiDay, shanghaiMonth } from '../../../kernel/time/calendar.ts';
import type { BatchTime } from '../../../store/ledger/parameters.ts';
import type { QuotaUse } from './wallet.ts';

/** The free allowance of a Shanghai day (contract: 200 fen). */
export const DAILY_ALLOWANCE = 200n * MICRO_FEN_PER_FEN;

export function batchTimeAt(now: number): BatchTime {
  return {
    now,
    ...periodsAt(now),
    dayEndsAt: shanghaiDay(now).endsAt,
    monthEndsAt: shanghaiMonth(now).endsAt,
    allowance: DAILY_ALLOWANCE,
  };
}

/** The previous day is reused while it is valid, so the calendar is computed once a day. */
export function openBatchTimes(): (now: number) => BatchTime {
  let lastTime: BatchTime | null = null;
  let startsAt = 0;
  return (now) => {
    if (lastTime === null || now < startsAt || now >= lastTime.dayEndsAt) {
      lastTime = batchTimeAt(now);
      startsAt = shanghaiDay(now).startsAt;
    }
    return { ...lastTime, now };
  };
}

export function quotaUseOf(batchTime: BatchTime, dayCalls: number, monthCalls: number): QuotaUse {
  return {
    day: { used: dayCalls, resetsAt: batchTime.dayEndsAt },
    month: { used: monthCalls, resetsAt: batchTime.monthEndsAt },
  };
}
