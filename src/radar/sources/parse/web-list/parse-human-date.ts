// Parses dates on web pages in English and Chinese: absolute dates, dates without a year, and
// relative dates. A date with two possible days is ignored.

import { Temporal } from 'temporal-polyfill';
import { type DateOrder, type FoundDate, findAbsoluteDate } from './absolute-date.ts';
import { findRelativeDate } from './relative-date.ts';

export type HumanDateContext = {
  /** Epoch milliseconds, the reference of "3 days ago". */
  readonly now: number;
  /** IANA zone of dates without a zone. */
  readonly timeZone: string;
  /** `auto` ignores 03/04/2026. */
  readonly order: DateOrder;
};

/**
 * The time in `text`, RFC 3339 UTC with milliseconds; null when there is none. A day without a time
 * is its midnight in the context's zone. Words around the date are ignored.
 */
export function parseHumanDate(text: string, context: HumanDateContext): string | null {
  const normalized = text.normalize('NFKC').replace(/\s+/g, ' ').trim().slice(0, 200);
  if (normalized === '') return null;
  const today = Temporal.Instant.fromEpochMilliseconds(context.now)
    .toZonedDateTimeISO(context.timeZone)
    .toPlainDateTime();
  const instant =
    exactInstant(normalized) ??
    instantOf(findAbsoluteDate(normalized, today.toPlainDate(), context.order), context.timeZone) ??
    instantOf(findRelativeDate(normalized, today), context.timeZone);
  // Outside these years the number was not a date.
  if (instant === null || instant < Date.UTC(1980) || instant > Date.UTC(2100)) return null;
  return new Date(instant).toISOString();
}

/** ISO 8601 with a zone, or epoch seconds or milliseconds. */
function exactInstant(text: string): number | null {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const iso = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|[+-]\d\d:?\d\d)(?!\d)/.exec(text);
  if (iso === null) return null;
  const time = Date.parse(iso[0].replace(' ', 'T').replace(' ', ''));
  return Number.isNaN(time) ? null : time;
}

function instantOf(date: FoundDate | null, timeZone: string): number | null {
  if (date === null) return null;
  try {
    const { year, month, day, hour, minute, second } = date;
    const local = Temporal.PlainDateTime.from(
      { year, month, day, hour, minute, second },
      { overflow: 'reject' },
    );
    const zone = date.offsetMinutes === null ? timeZone : offsetText(date.offsetMinutes);
    return local.toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return null;
  }
}

function offsetText(minutes: number): string {
  const absoluteMinutes = Math.abs(minutes);
  const hours = String(Math.floor(absoluteMinutes / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(absoluteMinutes % 60).padStart(2, '0')}`;
}
