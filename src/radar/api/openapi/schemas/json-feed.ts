// JSON Feed 1.1, with the members that this radar writes.
import { z } from 'zod';

const entry = z.object({
  id: z.string().meta({ description: 'Identifier that is independent of the address.' }),
  url: z.string().meta({ description: 'Page of this radar about the item or report.' }),
  external_url: z
    .string()
    .optional()
    .meta({ description: 'Address of the original, where it differs.' }),
  title: z.string(),
  content_html: z.string(),
  summary: z.string().optional(),
  date_published: z.string().meta({ format: 'date-time' }),
  date_modified: z.string().optional().meta({ format: 'date-time' }),
  authors: z.array(z.object({ name: z.string() })).optional(),
  tags: z.array(z.string()).optional(),
  language: z.string(),
});

export const jsonFeed = z.object({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  home_page_url: z.string(),
  feed_url: z.string(),
  description: z.string(),
  language: z.string(),
  items: z.array(entry),
});
