// Calendar days as the radar's schedule knows them, without arithmetic of our own.
import { Temporal } from 'temporal-polyfill';

/** RFC 3339 UTC with milliseconds, as every time on the wire. */
export function toWireTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Epoch milliseconds of an RFC 3339 time; null when it is none (or names no real instant). */
export function parseWireTime(text: string): number | null {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null;
  }
}
