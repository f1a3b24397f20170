// Schemas of the folder `prompts/`: one file per prompt, with the step and the enforced limits in
// its front matter. Unknown keys are errors.
import { z } from 'zod';
import type { modelSteps } from '../../../kernel/ports/model.ts';

const count = z.int().min(1);
const characters = z.int().min(10).max(4_000);

const commonFields = {
  answerTokens: z.int().min(16).max(16_000).describe('Maximum tokens of a reply'),
  textTokens: z
    .int()
    .min(50)
    .max(100_000)
    .describe('Maximum tokens of third-party text in a prompt'),
};

const stepOf = <Step extends (typeof modelSteps)[number]>(step: Step) => z.literal(step);

/**
 * By file name without extension. Limits are in characters of Latin text and of ideographs
 * (`…Wide`).
 */
export const promptFiles = {
  prefilter: z.strictObject({ step: stepOf('prefilter'), ...commonFields }),
  score: z.strictObject({
    step: stepOf('score'),
    ...commonFields,
    reach: z
      .int()
      .min(0)
      .max(100)
      .describe('Maximum points by which a model changes the rule-based score'),
    apart: z
      .int()
      .min(1)
      .max(100)
      .describe('Minimum difference of two scores that is marked as uncertain'),
  }),
  'score-again': z.strictObject({ step: stepOf('score'), ...commonFields }),
  write: z.strictObject({
    step: stepOf('write'),
    ...commonFields,
    titleLatin: characters,
    titleWide: characters,
    summaryLatin: characters,
    summaryWide: characters,
    reasonLatin: characters,
    reasonWide: characters,
  }),
  sort: z.strictObject({ step: stepOf('sort'), ...commonFields, tags: count.max(20) }),
  facts: z.strictObject({ step: stepOf('facts'), ...commonFields, facts: count.max(30) }),
  relate: z.strictObject({ step: stepOf('relate'), ...commonFields }),
  digest: z.strictObject({
    step: stepOf('digest'),
    ...commonFields,
    sentences: count.max(12),
    sentenceLatin: characters,
    sentenceWide: characters,
  }),
  report: z.strictObject({
    step: stepOf('report'),
    ...commonFields,
    headlineLatin: characters,
    headlineWide: characters,
    overview: count.max(12),
    introduction: count.max(6),
    sentenceLatin: characters,
    sentenceWide: characters,
  }),
} as const;

/** Files whose text is added before and after every prompt. */
export const sharedFiles = ['field', 'source-text'] as const;

export type PromptName = keyof typeof promptFiles;
export type BoundsOf<Name extends PromptName> = z.infer<(typeof promptFiles)[Name]>;

/** The JSON schema of all front matters by file, published in the folder's `schemas/`. */
export function promptsJsonSchema(): Record<string, unknown> {
  const schemas = z.strictObject({ ...promptFiles });
  return {
    ...z.toJSONSchema(schemas, { io: 'input' }),
    title: 'editorial/prompts: the front matter of each file',
  };
}
