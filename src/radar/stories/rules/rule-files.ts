// The schema of every file in editorial/stories, validated when it is read. A misspelt or missing
// key is an error, not a silent zero.
import { z } from 'zod';

const phrases = z.record(z.string(), z.array(z.string().min(1)).min(1));
/** Words by frequency step, see `FrequencySteps`. */
const steps = z.record(z.string().regex(/^\d+$/), z.string());
export const storyFiles = {
  background: z.strictObject({ en: steps, zh: steps }),
  traditional: z
    .strictObject({ from: z.string(), to: z.string() })
    .refine(
      ({ from, to }) => [...from].length === [...to].length,
      '`from` and `to` have different lengths',
    ),
  aliases: z.record(z.string(), phrases),
  lexicon: phrases,
  // `words`: English words (as stems) with the Chinese words they translate. `sounds`: Chinese
  // syllables, for the guardrails.
  glosses: z.strictObject({
    words: z.record(z.string(), z.string()),
    sounds: z.record(z.string(), z.string()),
  }),
  rules: z.strictObject({
    version: z.string().min(1),
    stopwords: z.array(z.string().min(1)),
    roundups: z.array(z.string().min(1)).min(1),
    shares: z.record(z.string(), z.number().min(0).max(1)),
    settings: z.strictObject({
      leadCharacters: z.int().positive(),
      bodyCharacters: z.int().positive(),
      liveDays: z.number().positive(),
      halfAfterDays: z.number().positive(),
      sameSource: z.number().min(0).max(1),
      backgroundDocuments: z.number().positive(),
      halfLifeDocuments: z.number().positive(),
      rarestIn: z.number().positive(),
      candidates: z.int().positive(),
      linkMembers: z.int().positive(),
      noiseShare: z.number().min(0).max(2),
      sameFrom: z.number(),
      oddsPerUnit: z.number().positive(),
      pairMargin: z.number().nonnegative(),
      joinFrom: z.number(),
      developmentFrom: z.number(),
    }),
  }),
} as const;

type Shapes = typeof storyFiles;
export type StoryFiles = { readonly [Name in keyof Shapes]: z.infer<Shapes[Name]> };
