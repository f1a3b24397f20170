// Dailies, weeklies and monthlies, as index entries and in full: feed contract, "Reports".
import { z } from 'zod';
import {
  attribution,
  count,
  date,
  maybePageLinks,
  pageLinks,
  type Shape,
  source,
  time,
  url,
} from './values.ts';

const generatedAt = time('Time of writing, or of the last correction.');

const corrections = z
  .array(
    z.object({
      at: time('Time of the correction.'),
      note: z.string().describe('Text of the correction.'),
    }),
  )
  .describe('Corrections, newest first.');

const neighbours = (key: string): Shape => ({
  prevKey: z.string().nullable().describe(`The ${key} before it; null without one.`),
  nextKey: z.string().nullable().describe(`The ${key} after it; null without one.`),
  corrections,
});

const window: Shape = {
  windowStart: time('Start of the covered time.'),
  windowEnd: time('End of the covered time, exclusive.'),
};

const entryLinks = (hasAihot: boolean) =>
  z
    .object({
      ...maybePageLinks('item', hasAihot),
      original: url('Address of the original article.'),
      story: url('Page of the story; its last segment is the publicId.').optional(),
    })
    .describe('Further addresses. `story` is absent when the item belongs to no story.');

const coverage: Shape = {
  sourceCount: count('Number of distinct owners with a report on the event, at present.'),
  disagreement: z.boolean().describe('True when their reports state different figures or days.'),
};

export function dailySchemas(hasAihot: boolean) {
  const key: Shape = {
    date: date('Day of the report in Asia/Shanghai.'),
    generatedAt,
    links: z.object(pageLinks('report', hasAihot)).describe('Addresses of the report.'),
    attribution,
  };
  const entry: Shape = {
    title: z.string().describe('Title.'),
    source,
    links: entryLinks(hasAihot),
    attribution,
    ...coverage,
  };
  const section = z.object({
    label: z.string().describe('Name of the section.'),
    items: z
      .array(z.object({ ...entry, summary: z.string().describe('Empty when there is none.') }))
      .describe('News of the section.'),
  });
  return {
    DailyEntry: z
      .object({
        ...key,
        leadTitle: z.string().nullable().describe('Title of the lead.'),
        leadParagraph: z.string().nullable().describe('Paragraph of the lead.'),
      })
      .describe('A daily in the index.'),
    Daily: z
      .object({
        ...key,
        ...window,
        lead: z
          .object({
            title: z.string().describe('Title of the lead.'),
            leadParagraph: z.string().describe('Paragraph of the lead.'),
          })
          .nullable()
          .describe('Lead of the day; null on a day without news.'),
        sections: z.array(section).describe('The news by section.'),
        flashes: z
          .array(z.object({ ...entry, publishedAt: time('Time of publication.') }))
          .describe('Shorter news.'),
        ...neighbours('date'),
      })
      .describe('A daily report about the 24 hours before 08:00 Asia/Shanghai.'),
  };
}

/** Weeklies and monthlies differ in their key only. */
export function periodSchemas(kind: 'week' | 'month', key: z.ZodType, hasAihot: boolean) {
  const shared: Shape = {
    [kind]: key,
    periodStart: date(`First day of the ${kind}.`),
    periodEnd: date(`Last day of the ${kind}.`),
    generatedAt,
    headline: z.string().nullable().describe(`What the ${kind} was about, in a line.`),
    links: z.object(pageLinks('report', hasAihot)).describe('Addresses of the report.'),
    attribution,
  };
  const item = z.object({
    title: z.string().describe('Title.'),
    summary: z.string().describe('Empty when there is none.'),
    source,
    links: entryLinks(hasAihot),
    publishedAt: time('Time of publication; null when unknown.').nullable(),
    attribution,
    ...coverage,
  });
  const section = z.object({
    label: z.string().describe('Name of the section.'),
    summary: z.string().nullable().describe('Overview of the section.'),
    items: z.array(item).describe('Most important news of the section.'),
  });
  return {
    entry: z.object(shared).describe(`A report in the index of ${kind}s.`),
    report: z
      .object({
        ...shared,
        ...window,
        overview: z.string().nullable().describe(`The ${kind} in a few sentences.`),
        sections: z.array(section).describe('Sections with news.'),
        ...neighbours(kind),
      })
      .describe(`One report of a ${kind}, compiled from its dailies.`),
  };
}
