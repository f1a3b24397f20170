// The shape of every file in editorial/stories, checked when it is read: a key that is misspelt or
// missing is an error and not a silent zero.
import { z } from 'zod';

const phrases = z.record(z.string(), z.array(z.string().min(1)).min(1));
const steps = z.record(z.string().regex(/^\d+$/), z.string());
const vector = z.record(z.string(), z.number());

const pairModel = z.strictObject({
  pair: vector,
  trees: z.array(
    z.strictObject({
      on: z.array(z.string()).length(7),
      at: z.array(z.number()).length(7),
      adds: z.array(z.number()).length(8),
    }),
  ),
});

export const storyFiles = {
  background: z.strictObject({ en: steps, zh: steps }),
  traditional: z
    .strictObject({ from: z.string(), to: z.string() })
    .refine(({ from, to }) => [...from].length === [...to].length, 'lists of unlike length'),
  aliases: z.record(z.string(), phrases),
  lexicon: phrases,
  actions: phrases,
  // English words (as stems) with the Chinese words they translate; syllables with characters.
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
      liveDays: z.number().positive(),
      decayDays: z.number().positive(),
      backgroundDocuments: z.number().positive(),
      halfLifeDocuments: z.number().positive(),
      rarestIn: z.number().positive(),
      candidates: z.int().positive(),
      sampleMembers: z.int().positive(),
      linkMembers: z.int().positive(),
      linkBound: z.number().positive(),
      companionFrom: z.number(),
      toldAgain: z.number().min(0).max(1),
      joinFrom: z.number(),
      mergeFrom: z.number(),
      mergeStep: z.number().nonnegative(),
      looseMembers: z.int().positive(),
      looseHours: z.number().nonnegative(),
      looseUnder: z.number(),
      looseMost: z.number().nonnegative(),
      meanFrom: z.number(),
      splits: z.boolean(),
      splitSlack: z.number().nonnegative(),
      reseats: z.boolean(),
      leaveFrom: z.number(),
      reseatStep: z.number().nonnegative(),
      repairEvery: z.int().positive(),
    }),
  }),
  // Pairs of which one has no text are weighed by themselves: a headline says other things. So are
  // texts of which one has no time: where time says nothing, words must say more; two Chinese ones
  // of them share characters where an alphabet has words.
  weights: z.strictObject({
    texts: pairModel,
    undated: pairModel,
    undatedHan: pairModel,
    headlines: pairModel,
    story: vector,
  }),
} as const;

type Shapes = typeof storyFiles;
export type StoryFiles = { readonly [Name in keyof Shapes]: z.infer<Shapes[Name]> };
