// The interface between modules and language models. A module supplies the prompt and the
// validation. The model client chooses the endpoint, pays, and handles failures. Failures do not
// throw, because the caller has a built-in alternative.
import type { z } from 'zod';
import type { World } from '../world.ts';

/** The steps that use a model; operators configure routes and budgets by these names. */
export const modelSteps = [
  /** Whether an item is about the field at all. */
  'prefilter',
  /** The importance of an item; two requests per item. */
  'score',
  /** Title, summary and reason in the site's language. */
  'write',
  /** Category and tags. */
  'sort',
  /** Who did what, with which figures. */
  'facts',
  /** How an item stands to stories, where the engine is unsure. */
  'relate',
  /** A story's digest. */
  'digest',
  /** A report's headline, overview and introductions. */
  'report',
] as const;
export type ModelStep = (typeof modelSteps)[number];

/** A file of the editorial folder's `prompts/`. */
export type Prompt = {
  /** The file's name without its ending. */
  readonly id: string;
  readonly step: ModelStep;
  /** Of the file's content: another text is another version. */
  readonly version: string;
  /** The system message. */
  readonly system: string;
  /** Most tokens of an answer. */
  readonly answerTokens: number;
};

export type ModelTask<T> = {
  readonly step: ModelStep;
  readonly prompt: Prompt;
  /** The user message. Third-party text in it is fenced and quoted by the caller. */
  readonly input: string;
  readonly shape: z.ZodType<T>;
  /** A guardrail: returns null or the problem, which the single repair request quotes. */
  readonly check?: (value: T) => string | null;
  /** Id of the item, story or report it is about, for the records. */
  readonly subject?: string;
  /** 0 when absent. The same question with another turn is a separate paid request. */
  readonly turn?: number;
  readonly signal?: AbortSignal;
};

/** The reason for using the built-in alternative. */
export type BuiltInWhy =
  /** No model is configured for the step. */
  | 'unconfigured'
  /** A budget is exhausted. */
  | 'budget'
  /** The model server failed, timed out or refused. */
  | 'failed'
  /** It answered, and also its repair broke the shape or a guard rail. */
  | 'refused'
  /** The same question may have been paid for already; its outcome is unknown yet. */
  | 'held';

export type ModelResult<T> =
  | {
      readonly kind: 'answered';
      readonly value: T;
      /** Of what was paid for. */
      readonly receipt: string;
      readonly model: string;
    }
  | {
      readonly kind: 'built_in';
      readonly why: BuiltInWhy;
      /** What happened, in a line for operators. */
      readonly detail?: string;
    };

/** Never rejects, except by the question's own abort. */
export type AskModel = <T>(world: World, question: ModelTask<T>) => Promise<ModelResult<T>>;

export type EmbedResult =
  | {
      readonly kind: 'embedded';
      readonly model: string;
      /** One for each text, in their order; null: its answer was lost, and it is not sent now. */
      readonly vectors: readonly (Float32Array | null)[];
    }
  | { readonly kind: 'built_in'; readonly why: BuiltInWhy; readonly detail?: string };

export type EmbedOptions = {
  /** Of each budget no more than this may be spent by then, 0..1; 1 when absent. */
  readonly budgetShare?: number;
};

export type Embed = (
  world: World,
  texts: readonly string[],
  options?: EmbedOptions,
) => Promise<EmbedResult>;
