// The taste in what is hot, as data: how much an owner's word counts, for how long, and how many
// rows there are. Read from `editorial/hot.json`; a misspelt key is an error.
import { z } from 'zod';
import { findLayered, parseLayered } from '../../kernel/files/layered-folder.ts';

const weight = z.number().min(0);

const hotRulesSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.string().min(1),
  windowHours: z.number().positive().describe('How far back a report counts'),
  halfLifeHours: z.number().positive().describe('After so long it counts half'),
  tiers: z
    .strictObject({ T1: weight, T1_5: weight, T2: weight })
    .describe('What one owner counts, by the tier of its source'),
  engagement: weight.describe('What each doubling of signal reports counts'),
  rows: z.int().min(1).max(10).describe('Most rows of a ranking'),
  rowsOfOneSaga: z.int().min(1).describe('Most rows of stories along one storyline'),
  trend: z
    .strictObject({
      hours: z.number().positive(),
      rising: z.number().min(1),
      falling: z.number().max(1),
    })
    .describe('Compared with so many hours earlier; from which ratio it rises, and falls'),
});

export type HotRules = z.infer<typeof hotRulesSchema>;

/** For editors: completion and errors while typing. */
export function hotJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(hotRulesSchema, { io: 'input' }), title: 'editorial/hot.json' };
}

/** `folder` is the editorial folder's path. Fails as `invalid_request`, naming what is wrong. */
export async function readHotRules(folder: string): Promise<HotRules> {
  return parseLayered(await findLayered(folder, 'hot.json'), hotRulesSchema);
}
