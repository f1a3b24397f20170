// The time of a subscription's next run. When a local time does not exist on a day, the run is at
// the next existing minute. A local time that occurs twice has one run.
import { createHash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import { toInstant } from '../../kernel/time/local-times.ts';
import { DEFAULT_ZONE, type Schedule } from './subscription.ts';

const SPREAD_SECONDS = 180;
/** Every schedule has a run within this span of a week and a day. */
const DAYS_AHEAD = 8;

/**
 * The next run after `now`, epoch milliseconds; null: instant. A hash of the id spreads runs over
 * three minutes, because services are busy at full and half hours.
 */
export function nextRun(schedule: Schedule, id: string, now: number): number | null {
  if ('at' in schedule) return null;
  const spread = spreadMsOf(id);
  // The slot may be up to three minutes in the past, because its run can still be in the future.
  const slot = findNextTime(schedule, now - spread);
  return slot + spread;
}

const spreadMsOf = (id: string): number =>
  (createHash('sha256').update(id).digest().readUInt32BE(0) % SPREAD_SECONDS) * 1000;

function findNextTime(schedule: Exclude<Schedule, { at: 'instant' }>, after: number): number {
  const { zone = DEFAULT_ZONE } = schedule;
  const start = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone);
  for (let daysAhead = 0; daysAhead <= DAYS_AHEAD; daysAhead += 1) {
    const day = start.toPlainDate().add({ days: daysAhead });
    const slots = 'every' in schedule ? listSlots(schedule.every) : schedule.daily;
    if ('days' in schedule && !schedule.days.includes(day.dayOfWeek)) continue;
    const times = slots.map((time) => toInstant(day, time, zone)).sort((a, b) => a - b);
    const next = times.find((time) => time > after);
    if (next !== undefined) return next;
  }
  // A valid schedule never reaches this line. An invalid stored schedule runs again a minute later.
  return after + MINUTE_MS;
}

const listSlots = (minutes: number) =>
  Array.from({ length: 1440 / minutes }, (_, index) => formatLocalTime(index * minutes));

const formatLocalTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
