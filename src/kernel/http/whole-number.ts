// Parses whole numbers in queries: only plain decimal digits. `0x5`, `1e3` and `05` are not
// accepted.
import { z } from 'zod';

/**
 * Parses a whole number within bounds; `max` has at most six digits. The message is a clause that
 * follows a field's name.
 */
export function wholeNumberWithin(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,5})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** Like `wholeNumberWithin`, with a default when the parameter is absent. */
export const wholeNumber = (min: number, max: number, defaultValue: number) =>
  wholeNumberWithin(min, max).default(defaultValue);

/** Null: the text is absent, has more than nine digits, or is no number. */
export const parseWholeNumber = (text: string | null): number | null =>
  text !== null && /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null;

const MAX_SKIP = 100_000;

/** The number of rows that a list skips; 0 without a number. */
export const readSkip = (query: URLSearchParams): number =>
  Math.min(MAX_SKIP, parseWholeNumber(query.get('skip')) ?? 0);
