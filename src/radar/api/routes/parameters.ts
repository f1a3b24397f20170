// Schemas of query parameters that several addresses share. Every problem is a clause that follows
// the parameter's name.
import { z } from 'zod';

/** A whole number in plain digits within bounds. */
export function wholeNumber(min: number, max: number, defaultValue: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,5})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(defaultValue)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

export const noParameters = z.strictObject({});
