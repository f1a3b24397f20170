// Small schemas that all bodies share: times, addresses, names.
import { z } from 'zod';

export type SchemaFields = Record<string, z.ZodType>;

export const timeSchema = (description: string) =>
  z.string().meta({
    description,
    format: 'date-time',
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
    examples: ['2026-11-19T16:00:00.000Z'],
  });

export const dateSchema = (description: string) =>
  z.string().meta({ description, format: 'date', examples: ['2026-11-19'] });

export const urlSchema = (description: string) =>
  z.string().meta({ description, format: 'uri', pattern: '^https?://' });

export const countSchema = (description: string) => z.int().min(0).describe(description);

/** A string with examples of known values, to which further values may be added. */
export const openEnumSchema = (description: string, knownValues: readonly string[]) =>
  z
    .string()
    .meta({ description: `${description} More values may come.`, examples: [...knownValues] });

export const itemId = (description: string) =>
  z.string().meta({ description, pattern: '^[A-Za-z0-9_-]{1,80}$' });

export const publicId = z
  .string()
  .min(1)
  .max(128)
  .describe('Identifier of a story, for GET /api/v1/stories/{publicId}.');

export const schemaVersion = z
  .literal(1)
  .describe('Version of this envelope. Fields may be added without a new version.');

export const attribution = z
  .object({
    name: z.string().describe('Name of this radar.'),
    url: urlSchema('Page to link.'),
  })
  .describe('Name and link to show wherever this content is shown.');

export const source = z
  .object({ name: z.string().describe('Name of the publisher.') })
  .describe('Publisher of the item.');

/** Links to a page of this radar. `hasAihot`: the link is repeated under the name `aihot`. */
export function pageLinkSchemas(noun: string, hasAihot: boolean): SchemaFields {
  const html = urlSchema(`Page of this radar about the ${noun}.`);
  return hasAihot ? { html, aihot: html.describe('Equal to html.') } : { html };
}

/** Links to a page that may be deleted or absent. */
export function nullablePageLinkSchemas(noun: string, hasAihot: boolean): SchemaFields {
  const html = urlSchema(
    `Page of this radar about the ${noun}; null when there is none.`,
  ).nullable();
  return hasAihot ? { html, aihot: html.describe('Equal to html.') } : { html };
}
