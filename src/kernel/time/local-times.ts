// Converts local times of a zone to instants. A local time that does not exist becomes the next
// existing minute. Of a time that occurs twice, the first counts.
import { Temporal } from 'temporal-polyfill';

/** Local times, `HH:MM`, between which only urgent messages are sent. */
export type QuietHours = { readonly from: string; readonly to: string; readonly zone: string };

/** Epoch milliseconds. */
export function localInstant(day: Temporal.PlainDate, time: string, zone: string): number {
  const local = day.toPlainDateTime(Temporal.PlainTime.from(time));
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  // In a gap, `earlier` is before the change of the clock; the change itself is the next existing
  // minute.
  return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? earlier.epochMilliseconds;
}

/** The end of the current quiet hours in epoch milliseconds; null outside of quiet hours. */
export function quietUntil(quiet: QuietHours | null, now: number): number | null {
  if (quiet === null) return null;
  const localTime = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(quiet.zone);
  for (const offset of [-1, 0]) {
    const day = localTime.toPlainDate().add({ days: offset });
    const from = localInstant(day, quiet.from, quiet.zone);
    const endDay = quiet.to > quiet.from ? day : day.add({ days: 1 });
    const to = localInstant(endDay, quiet.to, quiet.zone);
    if (now >= from && now < to) return to;
  }
  return null;
}
