// One event with its coverage: feed contract, "Story".
import { z } from 'zod';
import {
  countSchema,
  itemId,
  openEnumSchema,
  pageLinkSchemas,
  publicId,
  timeSchema,
  urlSchema,
} from './values.ts';

const reporter = {
  name: z.string().describe('Name of the publisher.'),
  firstParty: z.boolean().describe('True when the publisher is a party of the event.'),
};

const claim = z
  .object({
    text: z.string().describe('One sentence of the digest.'),
    reportIds: z
      .array(itemId('Identifier of a report in reports[].'))
      .describe('Reports that support the sentence.'),
  })
  .describe('A sentence of the digest with its evidence.');

const contradiction = z
  .object({
    subject: z.string().describe('Subject of the disagreement.'),
    statements: z
      .array(
        z.object({
          value: z.string().describe('Stated value.'),
          reportId: itemId('Report in reports[] that states the value.'),
          source: z.string().describe('Name of the publisher of the report.'),
          at: timeSchema('Time of the report.'),
        }),
      )
      .describe('Statements of the reports, each with its value.'),
  })
  .describe('A disagreement of the reports. The digest states it too.');

export function storySchemas(hasAihot: boolean) {
  const report = z
    .object({
      id: itemId('Identifier of the item.'),
      title: z.string().describe('Title of the report.'),
      summary: z.string().nullable().describe('Summary of the report.'),
      source: z.object(reporter).describe('Publisher of the report.'),
      publishedAt: timeSchema('Time of publication, or of discovery when unknown.'),
      links: z
        .object({
          ...pageLinkSchemas('report', hasAihot),
          original: urlSchema('Address of the original article.'),
        })
        .describe('Further addresses.'),
    })
    .describe('One report of the event.');
  const related = z
    .object({
      publicId,
      title: z.string().describe('Title of the other story.'),
      relation: openEnumSchema('Relation of the two stories.', ['storyline', 'related']),
      links: z
        .object({
          ...pageLinkSchemas('story', hasAihot),
          api: urlSchema('Address of the story in this API.'),
        })
        .describe('Further addresses.'),
    })
    .describe('Another story. Merged stories are never listed.');
  return {
    StoryReport: report,
    RelatedStory: related,
    Claim: claim,
    Contradiction: contradiction,
    Story: storySchema(hasAihot, { report, related }),
  };
}

function storySchema(hasAihot: boolean, parts: { report: z.ZodType; related: z.ZodType }) {
  return z
    .object({
      publicId,
      title: z.string().describe('Title of the story.'),
      status: openEnumSchema('"active" while the newest report is younger than 72 hours.', [
        'active',
        'settled',
      ]),
      sourceCount: countSchema('Number of distinct owners with a report.'),
      reportCount: countSchema('Number of all reports, including those not listed.'),
      firstReportAt: timeSchema('Time of the first report.'),
      latestAt: timeSchema('Time of the newest report.'),
      latest: z.string().describe('Newest development in one line.'),
      digest: z
        .string()
        .nullable()
        .describe('Digest of the event, rewritten when the event develops.'),
      digestUpdatedAt: timeSchema(
        'Time of the last digest; null exactly when `digest` is null.',
      ).nullable(),
      digestBy: openEnumSchema('Author of the digest.', ['rules', 'model']).nullable(),
      links: z.object(pageLinkSchemas('story', hasAihot)).describe('Further addresses.'),
      reports: z
        .array(parts.report)
        .describe('The newest 50 reports, newest first, and every report that supports a claim.'),
      hasMoreReports: z.boolean().describe('True when further reports are not listed.'),
      sources: z
        .array(
          z.object({
            ...reporter,
            reportCount: countSchema('Number of reports by this publisher.'),
            firstAt: timeSchema('Time of the first report by this publisher.'),
            latestAt: timeSchema('Time of the newest report by this publisher.'),
          }),
        )
        .describe('Publishers of all reports.'),
      storyline: z
        .array(parts.related)
        .describe('Earlier and later stories of the same storyline.'),
      related: z.array(parts.related).describe('Similar stories.'),
      claims: z.array(claim).describe('The digest by sentence.'),
      contradictions: z.array(contradiction).describe('Disagreements of the reports.'),
    })
    .describe('An event of the real world and its coverage.');
}
