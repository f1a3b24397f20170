// Schemas for values in providers' formats. A field that is present must have its type; otherwise
// the response is refused, and the error names the field. Absent, null and empty values become
// null.
import { z } from 'zod';
import { plainText } from '../../../kernel/text/text.ts';
import { parseWireTime } from '../../../kernel/time/calendar.ts';

/** Text; empty counts as none. */
export const text = z
  .string()
  .nullish()
  .transform((value) => (value?.trim() ? value : null));

/** An id, which some responses contain as a number. */
export const id = z.union([z.string().min(1), z.int()]).transform(String);

/** A count: a number, or digits with an optional unit such as 万, 亿 or k. "-" means none. */
export const count = z
  .union([z.number(), z.string().regex(/^(?:\s*|-|[\d,.]+\s*[万亿wkmKM]?\+?)$/)])
  .nullish()
  .transform((value) => {
    if (value === null || value === undefined) return null;
    const number = typeof value === 'number' ? value : parseCount(value);
    const rounded = number === null ? -1 : Math.round(number);
    return Number.isSafeInteger(rounded) && rounded >= 0 ? rounded : null;
  });

const units: Readonly<Record<string, number>> = {
  万: 10_000,
  w: 10_000,
  亿: 100_000_000,
  k: 1_000,
  K: 1_000,
  m: 1_000_000,
  M: 1_000_000,
};

function parseCount(value: string): number | null {
  const match = /^([\d,.]+)\s*([万亿wkmKM]?)\+?$/.exec(value.trim());
  if (!match?.[1]) return null;
  return Number(match[1].replaceAll(',', '')) * (units[match[2] ?? ''] ?? 1);
}

/** A size in pixels or a duration; 0 counts as none. */
export const measure = z
  .union([z.number(), z.string().regex(/^[\d.]*$/)])
  .nullish()
  .transform((value) => {
    const number = Number(value ?? 0);
    return Number.isFinite(number) && number > 0 ? number : null;
  });

/** The end of the year 9999, the maximum of a wire time. */
const latestMs = 253_402_300_799_999;

/** Larger numbers are milliseconds: in seconds this number is in the year 5138. */
const maxEpochSeconds = 1e11;

/** An instant in seconds or milliseconds since 1970, as a wire time. */
export const epoch = z
  .union([z.number(), z.string().regex(/^\d*$/)])
  .nullish()
  .transform((value) => {
    const number = Number(value ?? 0);
    const epochMs = number > maxEpochSeconds ? number : number * 1000;
    return epochMs > 0 && epochMs <= latestMs ? new Date(epochMs).toISOString() : null;
  });

/** A time as text with a zone; null for a time without a zone. */
export const wireTime = z
  .string()
  .nullish()
  .transform((value) => {
    if (!value || !/(?:Z|[+-]\d{2}:?\d{2}|GMT|UTC)\b/.test(value)) return null;
    const epochMs = parseWireTime(value) ?? Date.parse(value);
    return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString();
  });

/** `H:MM:SS` or `MM:SS` as seconds. */
export const clockTime = z
  .string()
  .nullish()
  .transform((value) => {
    if (!value || !/^\d+(?::\d{1,2}){1,2}$/.test(value)) return null;
    return value.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  });

/** Markup as plain text; an empty result counts as none. */
export function plainOrNull(markup: string | null): string | null {
  return markup === null ? null : plainText(markup) || null;
}
