// How long a minute, an hour and a day of 24 hours are. Shanghai has no summer time, so such a day
// is also its calendar's; where a day begins, the calendar says.
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
