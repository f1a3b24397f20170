// Rules of the ranking as data: weights of owners, half-life, number of rows. They are read from
// `editorial/hot.json`, where an unknown key is an error.
import { z } from 'zod';
import { findLayered, parseLayered } from '../../kernel/files/layered-folder.ts';

const weight = z.number().min(0);

const rankingRulesSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.string().min(1),
  windowHours: z.number().positive().describe('Hours for which a report counts'),
  halfLifeHours: z.number().positive().describe('Hours after which a report counts half'),
  tiers: z
    .strictObject({ T1: weight, T1_5: weight, T2: weight })
    .describe('Points of an owner, by the tier of its source'),
  engagement: weight.describe('Points for each doubling of the number of signal reports'),
  rows: z.int().min(1).max(10).describe('Maximum rows of a ranking'),
  rowsOfOneSaga: z.int().min(1).describe('Maximum rows of stories of one storyline'),
  trend: z
    .strictObject({
      hours: z.number().positive(),
      rising: z.number().min(1),
      falling: z.number().max(1),
    })
    .describe('Hours of the comparison; the ratios from which a story rises and falls'),
});

export type RankingRules = z.infer<typeof rankingRulesSchema>;

/** The JSON Schema of the rules, for completion and validation in text editors. */
export function rankingJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(rankingRulesSchema, { io: 'input' }), title: 'editorial/hot.json' };
}

/** `folder`: path of the editorial folder. Throws a Fault `invalid_request` with all problems. */
export async function readRankingRules(folder: string): Promise<RankingRules> {
  return parseLayered(await findLayered(folder, 'hot.json'), rankingRulesSchema);
}
