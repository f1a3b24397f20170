// Dailies, weeklies and monthlies, as index entries and in full: feed contract, "Reports".
import { z } from 'zod';
import {
  attribution,
  countSchema,
  dateSchema,
  nullablePageLinkSchemas,
  pageLinkSchemas,
  type SchemaFields,
  source,
  timeSchema,
  urlSchema,
} from './values.ts';

const generatedAt = timeSchema('Time of writing, or of the last correction.');

const corrections = z
  .array(
    z.object({
      at: timeSchema('Time of the correction.'),
      note: z.string().describe('Text of the correction.'),
    }),
  )
  .describe('Corrections, newest first.');

const neighbourKeys = (key: string): SchemaFields => ({
  prevKey: z
    .string()
    .nullable()
    .describe(`The ${key} of the previous report; null when there is none.`),
  nextKey: z
    .string()
    .nullable()
    .describe(`The ${key} of the next report; null when there is none.`),
  corrections,
});

const windowFields: SchemaFields = {
  windowStart: timeSchema('Start of the covered time.'),
  windowEnd: timeSchema('End of the covered time, exclusive.'),
};

const entryLinks = (hasAihot: boolean) =>
  z
    .object({
      ...nullablePageLinkSchemas('item', hasAihot),
      original: urlSchema('Address of the original article.'),
      story: urlSchema('Page of the story; its last segment is the publicId.').optional(),
    })
    .describe('Further addresses. `story` is absent when the item belongs to no story.');

const coverageFields: SchemaFields = {
  sourceCount: countSchema('Number of distinct owners with a report on the event, at present.'),
  disagreement: z
    .boolean()
    .describe('True when reports on the event state different figures or days.'),
};

export function dailySchemas(hasAihot: boolean) {
  const headFields: SchemaFields = {
    date: dateSchema('Day of the report in Asia/Shanghai.'),
    generatedAt,
    links: z.object(pageLinkSchemas('report', hasAihot)).describe('Addresses of the report.'),
    attribution,
  };
  const entryFields: SchemaFields = {
    title: z.string().describe('Title.'),
    source,
    links: entryLinks(hasAihot),
    attribution,
    ...coverageFields,
  };
  const section = z.object({
    label: z.string().describe('Name of the section.'),
    items: z
      .array(
        z.object({ ...entryFields, summary: z.string().describe('Empty when there is none.') }),
      )
      .describe('News of the section.'),
  });
  return {
    DailyEntry: z
      .object({
        ...headFields,
        leadTitle: z.string().nullable().describe('Title of the lead.'),
        leadParagraph: z.string().nullable().describe('Paragraph of the lead.'),
      })
      .describe('A daily in the index.'),
    Daily: z
      .object({
        ...headFields,
        ...windowFields,
        lead: z
          .object({
            title: z.string().describe('Title of the lead.'),
            leadParagraph: z.string().describe('Paragraph of the lead.'),
          })
          .nullable()
          .describe('Lead of the day; null on a day without news.'),
        sections: z.array(section).describe('The news by section.'),
        flashes: z
          .array(z.object({ ...entryFields, publishedAt: timeSchema('Time of publication.') }))
          .describe('Shorter news.'),
        ...neighbourKeys('date'),
      })
      .describe('A daily report about the 24 hours before 08:00 Asia/Shanghai.'),
  };
}

/** Weeklies and monthlies differ in their key only. */
export function periodSchemas(kind: 'week' | 'month', key: z.ZodType, hasAihot: boolean) {
  const headFields: SchemaFields = {
    [kind]: key,
    periodStart: dateSchema(`First day of the ${kind}.`),
    periodEnd: dateSchema(`Last day of the ${kind}.`),
    generatedAt,
    headline: z.string().nullable().describe(`What the ${kind} was about, in a line.`),
    links: z.object(pageLinkSchemas('report', hasAihot)).describe('Addresses of the report.'),
    attribution,
  };
  const item = z.object({
    title: z.string().describe('Title.'),
    summary: z.string().describe('Empty when there is none.'),
    source,
    links: entryLinks(hasAihot),
    publishedAt: timeSchema('Time of publication; null when unknown.').nullable(),
    attribution,
    ...coverageFields,
  });
  const section = z.object({
    label: z.string().describe('Name of the section.'),
    summary: z.string().nullable().describe('Overview of the section.'),
    items: z.array(item).describe('Most important news of the section.'),
  });
  return {
    entry: z.object(headFields).describe(`A report in the index of ${kind}s.`),
    report: z
      .object({
        ...headFields,
        ...windowFields,
        overview: z.string().nullable().describe(`The ${kind} in a few sentences.`),
        sections: z.array(section).describe('Sections with news.'),
        ...neighbourKeys(kind),
      })
      .describe(`One report of a ${kind}, compiled from its dailies.`),
  };
}
