// The shapes of answers, for validation and for servers that take a schema. Every member is
// required: servers that are strict know no optional ones; lengths are the guard rails' to say.
import { z } from 'zod';

export const aboutShape = z.strictObject({ about: z.boolean() });
export const scoreShape = z.strictObject({ score: z.number().min(0).max(100) });
export const writtenShape = z.strictObject({
  title: z.string(),
  summary: z.string().nullable(),
  reason: z.string(),
});
export const factsShape = z.strictObject({
  facts: z.array(z.strictObject({ text: z.string(), quote: z.string() })),
});

export type Written = z.infer<typeof writtenShape>;

/** `ids`: of the folder's categories. */
export function sortedShape(ids: readonly string[]) {
  return z.strictObject({
    category: z.enum(ids as [string, ...string[]]).nullable(),
    tags: z.array(z.string()),
  });
}
