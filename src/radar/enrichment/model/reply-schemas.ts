// Schemas of replies for validation and for servers that accept a schema. Every member is required,
// because strict servers support no optional members. Guardrails check lengths.
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

export type WrittenTexts = z.infer<typeof writtenShape>;

/** `ids` are the folder's categories. */
export function categoryShape(ids: readonly string[]) {
  return z.strictObject({
    category: z.enum(ids as [string, ...string[]]).nullable(),
    tags: z.array(z.string()),
  });
}
