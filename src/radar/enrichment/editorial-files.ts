// What an editorial folder must hold for the desk: its taste, as data. Nothing in code knows the
// field; another field is another folder of the same shape. Unknown keys are errors.
import { z } from 'zod';
import { tiers } from './enricher.ts';

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);
/** A JavaScript regular expression, always with the flags `iu`; `(?-i:…)` minds case. */
const pattern = z.string().min(1).refine(compiles, 'not a regular expression');
const bilingual = z.strictObject({ en: z.string().min(1), 'zh-CN': z.string().min(1) });

function compiles(source: string): boolean {
  try {
    new RegExp(source, 'iu');
    return true;
  } catch {
    return false;
  }
}

export const categoriesSchema = z
  .array(
    z.strictObject({
      id,
      label: bilingual,
      /** What belongs here, for people and for a model's desk. */
      about: z.string().min(1),
    }),
  )
  .min(2);

export const titlesSchema = z.strictObject({
  /** Taken off wherever they match: at the beginning, at the end, alone in brackets. */
  prefixes: z.array(pattern),
  suffixes: z.array(pattern),
  bracketTags: z.array(pattern),
  /** Publishers whose name may stand at the end of a title they did not write. */
  publishers: z.array(z.string().min(1)),
  /** Words that a site adds to its name ("Blog", "官网"). */
  siteWords: z.array(z.string().min(1)),
  /** Words in capitals that are shouted, not abbreviations. */
  shouts: z.array(z.string().regex(/^\p{Lu}+$/u)),
});

export const sentencesSchema = z.strictObject({
  /** Without the last dot; what follows them belongs to the same sentence. */
  abbreviations: z.array(z.string().min(1)),
  /** Cut off a sentence's beginning: datelines, bylines, "The X newsletter:". */
  trims: z.array(pattern),
  /** A sentence that matches is never quoted. */
  drops: z.array(pattern),
  /** A sentence that begins like this needs the one before it. */
  dependents: z.array(pattern),
  /** Likewise, unless nothing stands before it ("The team behind …"). */
  followers: z.array(pattern),
  /** Praise, or words about the text instead of its news: possible, but worse. */
  weak: z.array(pattern),
  /** Somebody talks to the reader: worse, and refused where it has little to do with the title. */
  talk: z.array(pattern),
  /** Words too common to count as being about the same thing. */
  stopwords: z.array(z.string().min(1)),
});

/** Proper names in their own spelling; in text they count as named things. */
const namesSchema = z.array(z.string().min(2)).min(1);

export const featuresSchema = z.record(
  id,
  z
    .strictObject({
      /** Where it looks; `title` also looks (weaker) at the lead. `source` is the tier. */
      in: z.enum(['title', 'lead', 'url', 'visible', 'source']),
      /** Phrases as whole words; `*` at the end: any ending. */
      en: z.array(z.string().min(1)).optional(),
      /** Phrases as they stand, anywhere. */
      zh: z.array(z.string().min(1)).optional(),
      patterns: z.array(pattern).optional(),
    })
    .refine(
      (f) => f.en !== undefined || f.zh !== undefined || f.patterns !== undefined,
      'a feature needs phrases or patterns',
    ),
);

export const weightsSchema = z.strictObject({
  /** How they came to be; written by the training script. */
  madeBy: z.string(),
  bias: z.record(id, z.number()),
  /** By feature, then by category. */
  learned: z.record(id, z.record(id, z.number())),
  /** Set by hand, for what headlines alone cannot teach (addresses, sources); kept by training. */
  given: z.record(id, z.record(id, z.number())),
});

const tiered = z.strictObject({ T1: z.number(), T1_5: z.number(), T2: z.number() });

export const scoringSchema = z.strictObject({
  /** What a feature counts for when it fires in the lead instead of the title, 0..1. */
  leadFactor: z.number().min(0).max(1),
  base: tiered,
  thresholds: tiered,
  /** Points by category. */
  categories: z.record(id, z.number()),
  /** Points by feature, once each. */
  features: z.record(id, z.number()),
  /** Points without the feature that says an item is about the field at all. */
  offField: z.strictObject({ feature: id, points: tiered }),
  figure: z.strictObject({ points: z.number(), most: z.number() }),
  name: z.strictObject({ points: z.number(), most: z.number() }),
  /** Points for a doubling of the text beyond `from` characters (two for an ideograph). */
  length: z.strictObject({ from: z.number().positive(), points: z.number(), most: z.number() }),
  /** Points when there is no text beyond the title. */
  bare: z.number(),
});

export const reasonsSchema = z.strictObject({
  /** The first whose conditions all hold names the item. */
  subjects: z.array(
    z.strictObject({
      tiers: z.array(z.enum(tiers)).optional(),
      category: id.optional(),
      feature: id.optional(),
      text: bilingual,
    }),
  ),
  /** Evidence worth naming, the most telling first; at most two are named. */
  details: z.array(z.strictObject({ feature: id, text: bilingual })),
  /** `{subject}`, `{first}`, `{second}` are filled in. */
  sentences: z.strictObject({ none: bilingual, one: bilingual, two: bilingual }),
});

export const editorialFiles = {
  'categories.json': categoriesSchema,
  'enrichment/titles.json': titlesSchema,
  'enrichment/sentences.json': sentencesSchema,
  'enrichment/names.json': namesSchema,
  'enrichment/features.json': featuresSchema,
  'enrichment/weights.json': weightsSchema,
  'enrichment/scoring.json': scoringSchema,
  'enrichment/reasons.json': reasonsSchema,
} as const;

export type CategoryEntry = z.infer<typeof categoriesSchema>[number];
export type TitleRules = z.infer<typeof titlesSchema>;
export type SentenceRules = z.infer<typeof sentencesSchema>;
export type FeatureRules = z.infer<typeof featuresSchema>;
export type Weights = z.infer<typeof weightsSchema>;
export type ScoringRules = z.infer<typeof scoringSchema>;
export type ReasonRules = z.infer<typeof reasonsSchema>;

/** A checked editorial folder. */
export type Editorial = {
  readonly categories: readonly CategoryEntry[];
  readonly titles: TitleRules;
  readonly sentences: SentenceRules;
  readonly names: readonly string[];
  readonly features: FeatureRules;
  readonly weights: Weights;
  readonly scoring: ScoringRules;
  readonly reasons: ReasonRules;
};

/** The JSON schema of one file, and where in the folder it lies for editors to find. */
export function editorialJsonSchema(name: keyof typeof editorialFiles): {
  readonly file: string;
  readonly schema: Record<string, unknown>;
} {
  const schema = z.toJSONSchema(editorialFiles[name], { io: 'input', unrepresentable: 'any' });
  const file = `schemas/${name.replace('/', '-').replace('.json', '.schema.json')}`;
  return { file, schema: { ...schema, title: `editorial/${name}` } };
}
