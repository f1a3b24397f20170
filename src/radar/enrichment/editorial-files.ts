// Schemas of the editorial files for enrichment. These files, not the code, describe the field of
// news, so a radar of another field needs only other files. Unknown keys are errors.
import { z } from 'zod';
import { tiers } from './enricher.ts';

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);
/** A JavaScript regular expression with the flags `iu`; `(?-i:…)` makes a part case-sensitive. */
const pattern = z.string().min(1).refine(isValidPattern, 'not a regular expression');
const bilingual = z.strictObject({ en: z.string().min(1), 'zh-CN': z.string().min(1) });

function isValidPattern(source: string): boolean {
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
      /** Describes the category for people and for the model. */
      about: z.string().min(1),
    }),
  )
  .min(2);

export const titlesSchema = z.strictObject({
  /** Removed from the beginning of a title. */
  prefixes: z.array(pattern),
  /** Removed from the end. */
  suffixes: z.array(pattern),
  /** Removed with their brackets. */
  bracketTags: z.array(pattern),
  /** Publishers whose names may end a title of another site. */
  publishers: z.array(z.string().min(1)),
  /** Words that a site adds to its name ("Blog", "官网"). */
  siteWords: z.array(z.string().min(1)),
  /** Words in capitals that are emphasis and not abbreviations. */
  shouts: z.array(z.string().regex(/^\p{Lu}+$/u)),
});

export const sentencesSchema = z.strictObject({
  /** Without the final dot. The next word belongs to the same sentence. */
  abbreviations: z.array(z.string().min(1)),
  /** Removed from a sentence's beginning: datelines, bylines, "The X newsletter:". */
  trims: z.array(pattern),
  /** A matching sentence is never quoted. */
  drops: z.array(pattern),
  /** A sentence with this beginning is understandable only after the sentence before it. */
  dependents: z.array(pattern),
  /** As `dependents`, but allowed as the first sentence of a text ("The team behind …"). */
  followers: z.array(pattern),
  /** Praise, or a sentence about the text itself: it has a lower rank. */
  weak: z.array(pattern),
  /**
   * A sentence that addresses the reader: it has a lower rank. It is not quoted when it shares few
   * words with the title.
   */
  talk: z.array(pattern),
  /** Words too frequent to indicate a common subject. */
  stopwords: z.array(z.string().min(1)),
});

/** Proper names in their own spelling. In a text they count as named entities. */
const namesSchema = z.array(z.string().min(2)).min(1);

export const featuresSchema = z.record(
  id,
  z
    .strictObject({
      /**
       * The text in which the feature matches. A feature of `title` also matches in the lead, with
       * less weight. `source`: the tier of the source.
       */
      in: z.enum(['title', 'lead', 'url', 'visible', 'source']),
      /** Phrases as whole words; a final `*` allows any ending. */
      en: z.array(z.string().min(1)).optional(),
      /** Phrases that match anywhere. */
      zh: z.array(z.string().min(1)).optional(),
      patterns: z.array(pattern).optional(),
    })
    .refine(
      ({ en, zh, patterns }) => en !== undefined || zh !== undefined || patterns !== undefined,
      'a feature needs phrases or patterns',
    ),
);

export const weightsSchema = z.strictObject({
  /** Written by the training script. */
  madeBy: z.string(),
  bias: z.record(id, z.number()),
  /** By feature, then category. */
  learned: z.record(id, z.record(id, z.number())),
  /**
   * Weights set by hand for addresses and sources, which headlines do not show. Training keeps
   * these weights.
   */
  given: z.record(id, z.record(id, z.number())),
});

const numberByTier = z.strictObject({ T1: z.number(), T1_5: z.number(), T2: z.number() });

export const scoringSchema = z.strictObject({
  /** Weight of a title's feature that matches in the lead, 0..1. */
  leadFactor: z.number().min(0).max(1),
  base: numberByTier,
  thresholds: numberByTier,
  /** Points by category. */
  categories: z.record(id, z.number()),
  /** Points per feature, each counted once. */
  features: z.record(id, z.number()),
  /** Points for an item without the feature that identifies items of the field. */
  offField: z.strictObject({ feature: id, points: numberByTier }),
  figure: z.strictObject({ points: z.number(), most: z.number() }),
  name: z.strictObject({ points: z.number(), most: z.number() }),
  /** Points per doubling of the text beyond `from` characters; an ideograph counts as two. */
  length: z.strictObject({ from: z.number().positive(), points: z.number(), most: z.number() }),
  /** Points for an item without text beyond its title. */
  bare: z.number(),
});

export const reasonsSchema = z.strictObject({
  /** The first entry whose conditions all match names the item. */
  subjects: z.array(
    z.strictObject({
      tiers: z.array(z.enum(tiers)).optional(),
      category: id.optional(),
      feature: id.optional(),
      text: bilingual,
    }),
  ),
  /** Features to mention, most specific first; at most two are mentioned. */
  details: z.array(z.strictObject({ feature: id, text: bilingual })),
  /** The placeholders are `{subject}`, `{first}`, `{second}`. */
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

/** A validated editorial folder. */
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

/** The JSON schema of one file and its path in the folder. */
export function editorialJsonSchema(name: keyof typeof editorialFiles): {
  readonly file: string;
  readonly schema: Record<string, unknown>;
} {
  const schema = z.toJSONSchema(editorialFiles[name], { io: 'input', unrepresentable: 'any' });
  const file = `schemas/${name.replace('/', '-').replace('.json', '.schema.json')}`;
  return { file, schema: { ...schema, title: `editorial/${name}` } };
}
