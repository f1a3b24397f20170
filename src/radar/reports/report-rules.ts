// Rules of reports as data: limits, weights of events, and the definition of a development. Read
// from `editorial/reports.json`; a misspelt key is an error.
import { z } from 'zod';
import { findLayered, parseLayered } from '../../kernel/files/layered-folder.ts';

const points = z.number().min(0);
const count = z.int().min(1);

const period = z.strictObject({
  entries: count.describe('Most entries of one report'),
  entriesPerSection: count,
  weights: z
    .strictObject({ score: points, owners: points, heat: points, days: points, language: points })
    .describe(
      'Points per point of the best score, per doubling of owners and of heat, and per further ' +
        'daily that told of the event; for being in the site’s language',
    ),
  heatHalfLifeHours: z.number().positive(),
  sameOwnerShare: z
    .number()
    .min(0)
    .max(1)
    .describe('What a further report of one owner counts of its first'),
});

export const reportRulesSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.string().min(1),
  othersMax: count.describe('Most other reports that are remembered with an entry'),
  daily: z.strictObject({
    entries: count.describe('Most entries of one report, flashes apart'),
    entriesPerSection: count,
    flashes: z.int().min(0),
    flashBelow: z
      .int()
      .min(0)
      .describe('A summary shorter than this makes a flash; an ideograph counts for two'),
    flashScore: z.number().describe('An unselected item is a brief from this score on'),
    weights: z
      .strictObject({
        score: points,
        owners: points,
        firstParty: points,
        signals: points,
        language: points,
      })
      .describe('Points per point of score, per doubling of owners, and so on'),
    remembersDays: count.describe('How long a published event is not repeated'),
    development: z
      .strictObject({ newFacts: count, newOwners: count })
      .describe('What brings it back: so many new facts, or so many owners who are new to it'),
  }),
  weekly: period,
  monthly: period,
});

export type ReportRules = z.infer<typeof reportRulesSchema>;
export type PeriodRules = ReportRules['weekly'];

/** `folder`: path of the editorial folder. Rejects as `invalid_request` with the fault. */
export async function readReportRules(folder: string): Promise<ReportRules> {
  return parseLayered(await findLayered(folder, 'reports.json'), reportRulesSchema);
}
