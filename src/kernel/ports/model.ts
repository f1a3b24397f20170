// The interface between modules and language models. A module supplies the prompt and the
// validation. The model client chooses the model, counts the costs, and handles failures. A failure
// is not thrown but returned, because the caller then uses its built-in rules.
import type { z } from 'zod';
import type { World } from '../world.ts';

/** The steps that use a model; operators configure routes and budgets by these names. */
export const modelSteps = [
  /** Whether an item is about a topic of this radar. */
  'prefilter',
  /** The importance of an item; two requests per item. */
  'score',
  /** Title, summary and reason in the site's language. */
  'write',
  /** Category and tags. */
  'sort',
  /** Statements of an item: actor, action and figures. */
  'facts',
  /** Relation of an item to stories when the clustering engine is unsure. */
  'relate',
  /** A story's digest. */
  'digest',
  /** A report's headline, overview and introductions. */
  'report',
] as const;
export type ModelStep = (typeof modelSteps)[number];

/** A prompt file of the editorial folder's `prompts/`. */
export type Prompt = {
  /** The file's name without its ending. */
  readonly id: string;
  readonly step: ModelStep;
  /** A hash of the file's content. */
  readonly version: string;
  /** The system message. */
  readonly system: string;
  /** Maximum tokens of a reply. */
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
  /** Id of the item, story or report, for the request log. */
  readonly subject?: string;
  /**
   * 0 when absent. The turn distinguishes repeated requests: two requests that differ only in their
   * turn are both paid.
   */
  readonly turn?: number;
  readonly signal?: AbortSignal;
};

/** The reason for using the built-in alternative. */
export type BuiltInReason =
  /** No model is configured for the step. */
  | 'unconfigured'
  /** A budget is exhausted. */
  | 'budget'
  /** The model server failed, timed out or refused. */
  | 'failed'
  /** The reply and the requested repair both failed the schema or a guardrail. */
  | 'refused'
  /** An equal request may have been paid already; its outcome is still unknown. */
  | 'held';

export type ModelResult<T> =
  | {
      readonly kind: 'answered';
      readonly value: T;
      /** Id of the model request whose reply this is; several tasks can share one paid request. */
      readonly receipt: string;
      readonly model: string;
    }
  | {
      readonly kind: 'built_in';
      readonly why: BuiltInReason;
      /** A one-line description for operators. */
      readonly detail?: string;
    };

/** Sends a task to the model of its step. Rejects only when the signal of the task aborts. */
export type ModelRequester = <T>(world: World, task: ModelTask<T>) => Promise<ModelResult<T>>;

export type EmbedResult =
  | {
      readonly kind: 'embedded';
      readonly model: string;
      /**
       * One vector per text, in order. Null: the reply was lost, and this call does not repeat the
       * request.
       */
      readonly vectors: readonly (Float32Array | null)[];
    }
  | { readonly kind: 'built_in'; readonly why: BuiltInReason; readonly detail?: string };

export type EmbedOptions = {
  /** The share (0 to 1) of each budget above which this request is refused; 1 when absent. */
  readonly budgetShare?: number;
};

export type Embed = (
  world: World,
  texts: readonly string[],
  options?: EmbedOptions,
) => Promise<EmbedResult>;
