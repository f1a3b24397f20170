// Converts local times of a zone to instants. A local time that does not exist becomes the next
// existing minute. A local time that occurs twice means its first occurrence.
import { Temporal } from 'temporal-polyfill';

/** Local times, `HH:MM`, between which only urgent messages are sent. */
export type QuietHours = { readonly from: string; readonly to: string; readonly zone: string };

/** Epoch milliseconds. */
export function toInstant(day: Temporal.PlainDate, time: string, zone: string): number {
  const local = day.toPlainDateTime(Temporal.PlainTime.from(time));
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  // In a gap, `earlier` is before the clock change. The instant of the change is the next existing
  // minute.
  return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? earlier.epochMilliseconds;
}

/** The end of the current quiet hours in epoch milliseconds; null outside of quiet hours. */
export function quietUntil(quiet: QuietHours | null, now: number): number | null {
  if (quiet === null) return null;
  const localTime = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(quiet.zone);
  // Quiet hours over midnight may have begun yesterday.
  for (const dayOffset of [-1, 0]) {
    const day = localTime.toPlainDate().add({ days: dayOffset });
    const from = toInstant(day, quiet.from, quiet.zone);
    const endDay = quiet.to > quiet.from ? day : day.add({ days: 1 });
    const to = toInstant(endDay, quiet.to, quiet.zone);
    if (now >= from && now < to) return to;
  }
  return null;
}
