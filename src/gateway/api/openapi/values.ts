// Small schemas from which the schemas of bodies are built: amounts, times, names.
import { z } from 'zod';

export const amount = (description: string) =>
  z.string().meta({
    description: `${description} CNY as decimal text, exact.`,
    pattern: String.raw`^-?(0|[1-9]\d*)(\.\d{1,8})?$`,
    examples: ['0.036'],
  });

export const time = (description: string) =>
  z.string().meta({
    description,
    format: 'date-time',
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
    examples: ['2026-11-19T16:00:00.000Z'],
  });

export const date = (description: string) =>
  z.string().meta({ description, format: 'date', examples: ['2026-11-19'] });

export const url = (description: string) => z.string().meta({ description, pattern: '^https?://' });

export const count = (description: string) => z.int().min(0).describe(description);

export const text = (description: string) => z.string().describe(description);

/** A string with examples of known values, to which further values may be added. */
export const openEnum = (description: string, knownValues: readonly string[]) =>
  z
    .string()
    .meta({ description: `${description} More values may come.`, examples: [...knownValues] });

export const requestId = z.string().meta({
  description: 'Identifies the call, also in the header X-Request-Id.',
  pattern: '^req_[0-9a-f]{24}$',
  examples: ['req_019a9d4f2c1b5e6f7a8b9c0d'],
});

export const livemode = z
  .boolean()
  .describe('False for test keys, which have separate balances and use no provider.');
