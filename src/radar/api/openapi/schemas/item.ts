// Items on the wire: feed contract, "Item".
import { z } from 'zod';
import {
  attribution,
  itemId,
  openEnumSchema,
  pageLinkSchemas,
  publicId,
  source,
  timeSchema,
  urlSchema,
} from './values.ts';

const categoryExamples = [
  'ai-models',
  'ai-products',
  'industry',
  'paper',
  'tip',
  'opinion',
] as const;

export function itemSchemas(hasAihot: boolean) {
  const links = pageLinkSchemas('item', hasAihot);
  const original = urlSchema('Address of the original article.');
  const coreFields = {
    id: itemId('Opaque identifier, never reused.'),
    title: z.string().describe('Title in the language of this radar.'),
    originalTitle: z
      .string()
      .nullable()
      .describe('Title as the source published it; null when equal to `title`.'),
    summary: z.string().nullable().describe('Summary in a few sentences.'),
    source,
    links: z.object({ ...links, original }).describe('Further addresses.'),
    publishedAt: timeSchema(
      'Time of publication; null when unknown or later than discovery.',
    ).nullable(),
    discoveredAt: timeSchema('Time at which this radar received the item.'),
    category: openEnumSchema('Category; null when the item has none.', categoryExamples).nullable(),
    score: z.number().min(0).max(100).nullable().describe('Importance for readers, 0 to 100.'),
    selected: z.boolean().describe('True when the item belongs to the selected set.'),
    attribution,
    language: openEnumSchema('Language of title and summary.', ['en', 'zh']),
    summaryBy: openEnumSchema('Author of title and summary.', ['rules', 'model']),
    story: z
      .object({ publicId })
      .nullable()
      .describe('Story of the item; null when it belongs to none.'),
  };
  const {
    originalTitle: _title,
    summary: _summary,
    attribution: _by,
    ...minimalFields
  } = coreFields;
  return {
    Item: z
      .object({
        ...coreFields,
        reason: z.string().nullable().describe('Reason of the selection; null when not selected.'),
      })
      .describe('A news item.'),
    MirroredItem: z
      .object(coreFields)
      .describe('An item of the selected set: all fields except `reason`.'),
    MinimalItem: z
      .object({ ...minimalFields, links: z.object(links).describe('Further addresses.') })
      .describe('An item without summary, original title, attribution and original address.'),
  };
}
