// Items on the wire: feed contract, "Item".
import { z } from 'zod';
import { attribution, itemId, open, pageLinks, publicId, source, time, url } from './values.ts';

const categoryExamples = [
  'ai-models',
  'ai-products',
  'industry',
  'paper',
  'tip',
  'opinion',
] as const;

export function itemSchemas(hasAihot: boolean) {
  const shown = pageLinks('item', hasAihot);
  const original = url('The original at its publisher.');
  const core = {
    id: itemId('Identifier; opaque and never given to another item.'),
    title: z.string().describe('Title in the language of this radar.'),
    originalTitle: z
      .string()
      .nullable()
      .describe('Title as the source gave it; null when it is equal to title.'),
    summary: z.string().nullable().describe('What it says, in a few sentences.'),
    source,
    links: z.object({ ...shown, original }).describe('Where to read on.'),
    publishedAt: time(
      'When its source published it; null when unknown or later than discovery.',
    ).nullable(),
    discoveredAt: time('When this radar received it.'),
    category: open('Its one category; null without one.', categoryExamples).nullable(),
    score: z.number().min(0).max(100).nullable().describe('How much it matters to readers.'),
    selected: z.boolean().describe('Whether it belongs to the selected set.'),
    attribution,
    language: open('Language of title and summary.', ['en', 'zh']),
    summaryBy: open('Who wrote title and summary.', ['rules', 'model']),
    story: z
      .object({ publicId })
      .nullable()
      .describe('The event it reports on; null when it belongs to none.'),
  };
  const { originalTitle: _title, summary: _summary, attribution: _by, ...rest } = core;
  return {
    Item: z
      .object({
        ...core,
        reason: z.string().nullable().describe('Why it was selected; null when it was not.'),
      })
      .describe('One piece of news.'),
    MirroredItem: z
      .object(core)
      .describe('An item as the selected set carries it: everything but the reason.'),
    MinimalItem: z
      .object({ ...rest, links: z.object(shown).describe('Where to read on.') })
      .describe('An item without its texts, for mirrors that only keep track.'),
  };
}
