// Rules of reports as data: limits, weights of events, and the definition of a development. They
// are read from `editorial/reports.json`, where a misspelt key is an error.
import { z } from 'zod';
import { findLayered, parseLayered } from '../../kernel/files/layered-folder.ts';

const points = z.number().min(0);
const count = z.int().min(1);

const period = z.strictObject({
  entries: count.describe('Maximum entries of one report'),
  entriesPerSection: count,
  weights: z
    .strictObject({ score: points, owners: points, heat: points, days: points, language: points })
    .describe(
      'Points for each point of the best score, each doubling of owners and of heat, each ' +
        'further daily with the event, and for the site’s language',
    ),
  heatHalfLifeHours: z.number().positive(),
  sameOwnerShare: z
    .number()
    .min(0)
    .max(1)
    .describe('Share of the points for each further report of the same owner'),
});

export const reportRulesSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.string().min(1),
  othersMax: count.describe('Maximum number of other reports that are stored with an entry'),
  daily: z.strictObject({
    entries: count.describe('Maximum entries of one report, without flashes'),
    entriesPerSection: count,
    flashes: z.int().min(0),
    flashBelow: z
      .int()
      .min(0)
      .describe(
        'An entry with a shorter summary is a flash; an ideograph counts as two characters',
      ),
    flashScore: z.number().describe('Minimum score with which an unselected item is a flash'),
    weights: z
      .strictObject({
        score: points,
        owners: points,
        firstParty: points,
        signals: points,
        language: points,
      })
      .describe(
        'Points for each point of the score, each doubling of owners, and the other features',
      ),
    remembersDays: count.describe('Days for which a published event is not repeated'),
    development: z
      .strictObject({ newFacts: count, newOwners: count })
      .describe('Number of new facts, or of new owners, for which the event is published again'),
  }),
  weekly: period,
  monthly: period,
});

export type ReportRules = z.infer<typeof reportRulesSchema>;
export type PeriodRules = ReportRules['weekly'];

/** `folder`: path of the editorial folder. Throws a Fault `invalid_request` with all problems. */
export async function readReportRules(folder: string): Promise<ReportRules> {
  return parseLayered(await findLayered(folder, 'reports.json'), reportRulesSchema);
}
