// Lengths of a minute, an hour and a day of 24 hours. Shanghai has no summer time, so its calendar
// days have 24 hours; `calendar.ts` defines where they begin.
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
