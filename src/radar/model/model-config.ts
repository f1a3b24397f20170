// The `model` section of `radar.config.json`: models per step, budgets and timeouts. The address
// and the key are environment variables (`MODEL_URL`, `MODEL_KEY`).
import { z } from 'zod';
import { parseCny } from '../../kernel/money.ts';
import { modelSteps } from '../../kernel/ports/model.ts';

/** The model name with which a step uses the built-in rules instead of a model. */
export const BUILT_IN = 'built-in';

const cnySchema = z
  .string()
  .refine((text) => (parseCny(text) ?? -1n) >= 0n, 'must be an amount in CNY, like "0.01"')
  .transform((text) => parseCny(text) ?? 0n);

const count = z.int().min(1).max(1_000_000_000_000);

const limit = z.strictObject({
  requests: count.optional(),
  tokens: count.optional().describe('Prompt and completion tokens together'),
  cost: cnySchema.optional().describe('CNY; only where the price is known'),
});

const model = z.strictObject({
  price: z
    .strictObject({
      input: cnySchema.describe('CNY per million prompt tokens'),
      output: cnySchema.prefault('0').describe('CNY per million completion tokens'),
    })
    .optional()
    .describe('Absent: only tokens are counted'),
  budget: z
    .strictObject({ minute: limit.optional(), hour: limit.optional(), day: limit.optional() })
    .prefault({})
    .describe('When a budget is spent, the rules are used until the period ends'),
  requestsPerMinute: z
    .number()
    .min(0.1)
    .max(1_000_000)
    .optional()
    .describe('Requests per minute that the server allows; further requests wait'),
  tokensPerMinute: count
    .optional()
    .describe('Tokens per minute that the server allows; further requests wait'),
  concurrency: z.int().min(1).max(256).default(8).describe('Concurrent requests per worker'),
});

const secondsSchema = (min: number, max: number, defaultSeconds: number) =>
  z.number().min(min).max(max).default(defaultSeconds);

export const modelSchema = z.strictObject({
  steps: z
    .partialRecord(z.enum(modelSteps), z.string().min(1))
    .default({})
    .describe(
      `Model of each step; "${BUILT_IN}": rules instead of a model; absent: the model MODEL_NAME`,
    ),
  models: z
    .record(z.string().min(1).max(200), model)
    .default({})
    .describe('Price, budget and limits of each model, by the name of the model'),
  timeoutSeconds: secondsSchema(0.1, 3600, 60).describe('Time limit for a whole reply'),
  queueTimeoutSeconds: secondsSchema(0, 3600, 120).describe(
    'Longest time that a request waits for its turn',
  ),
  unknownOutcomeRetrySeconds: secondsSchema(0, 604_800, 600).describe(
    'A request whose reply was lost is sent once more after this time; it may be billed twice',
  ),
  keepDays: z
    .int()
    .min(1)
    .max(3650)
    .default(60)
    .describe('Model requests and vectors are kept for this number of days'),
  embeddings: z
    .strictObject({
      batch: z.int().min(1).max(2048).default(32).describe('Texts in one request'),
      characters: z
        .int()
        .min(100)
        .max(100_000)
        .default(2_000)
        .describe('Characters of a text that are used'),
    })
    .prefault({}),
});

export type ModelFile = z.output<typeof modelSchema>;
export type ModelTerms = z.output<typeof model>;

/** Settings of the model client. */
export type ModelSettings = {
  /** The part before `/chat/completions`, without a trailing slash. */
  readonly url: string;
  readonly key: string | null;
  /** The default model; null when only named steps use a model. */
  readonly name: string | null;
  readonly embeddingModel: string | null;
  readonly file: ModelFile;
};

const defaultTerms = model.parse({});

/** Terms of a model. A model without an entry has no price and no limit. */
export function termsOf({ models }: ModelFile, name: string): ModelTerms {
  return models[name] ?? defaultTerms;
}
