// One event with its coverage: feed contract, "Story".
import { z } from 'zod';
import { count, itemId, open, pageLinks, publicId, time, url } from './values.ts';

const reporter = {
  name: z.string().describe('Name of the publisher.'),
  firstParty: z.boolean().describe('Whether the event is about the publisher itself.'),
};

const claim = z
  .object({
    text: z.string().describe('One sentence of the digest.'),
    reportIds: z.array(itemId('A report in reports[].')).describe('What the sentence rests on.'),
  })
  .describe('A sentence of the digest and its evidence.');

const contradiction = z
  .object({
    subject: z.string().describe('What the reports disagree about.'),
    statements: z
      .array(
        z.object({
          value: z.string().describe('What is said.'),
          reportId: itemId('The report in reports[] that says it.'),
          source: z.string().describe('Name of its publisher.'),
          at: time('Time of the report.'),
        }),
      )
      .describe('One entry per version.'),
  })
  .describe('Where reports disagree; the digest says so too.');

export function storySchemas(hasAihot: boolean) {
  const report = z
    .object({
      id: itemId('Identifier of the item.'),
      title: z.string().describe('Title of the report.'),
      summary: z.string().nullable().describe('What it says.'),
      source: z.object(reporter).describe('Who published it.'),
      publishedAt: time('When it was published, or else discovered.'),
      links: z
        .object({ ...pageLinks('report', hasAihot), original: url('The original.') })
        .describe('Where to read on.'),
    })
    .describe('One report of the event.');
  const related = z
    .object({
      publicId,
      title: z.string().describe('Title of that story.'),
      relation: open('How it belongs.', ['storyline', 'related']),
      links: z
        .object({ ...pageLinks('story', hasAihot), api: url('The story at this API.') })
        .describe('Where to read on.'),
    })
    .describe('Another story; never one that was merged away.');
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
      title: z.string().describe('What happened.'),
      status: open('"active" while the newest report is younger than 72 hours.', [
        'active',
        'settled',
      ]),
      sourceCount: count('Distinct owners with a report.'),
      reportCount: count('All reports, those not listed included.'),
      firstReportAt: time('Time of the first report.'),
      latestAt: time('Time of the newest report.'),
      latest: z.string().describe('The newest development in a line.'),
      digest: z.string().nullable().describe('What is known, rewritten as the event goes on.'),
      digestUpdatedAt: time(
        'When the digest was last written; null exactly when it is.',
      ).nullable(),
      digestBy: open('Who wrote the digest.', ['rules', 'model']).nullable(),
      links: z.object(pageLinks('story', hasAihot)).describe('Where to read on.'),
      reports: z
        .array(parts.report)
        .describe('The newest 50, newest first, and every report that a claim rests on.'),
      hasMoreReports: z.boolean().describe('Whether there are reports that are not listed.'),
      sources: z
        .array(
          z.object({
            ...reporter,
            reportCount: count('Its reports.'),
            firstAt: time('Its first report.'),
            latestAt: time('Its newest report.'),
          }),
        )
        .describe('Everybody who reported, over all reports.'),
      storyline: z.array(parts.related).describe('Stories that this one continues or led to.'),
      related: z.array(parts.related).describe('Other stories near it.'),
      claims: z.array(claim).describe('The digest by sentence.'),
      contradictions: z.array(contradiction).describe('Where reports disagree.'),
    })
    .describe('One event of the real world and its coverage.');
}
