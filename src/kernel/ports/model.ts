// Questions to a language model as rooms put them, and what comes back. A room says what it asks
// and how it checks the answer; who is asked, what it costs and what happens on failure is the
// asker's. Nothing here throws for a model's sake: whoever asks has a built-in answer ready.
import type { z } from 'zod';
import type { World } from '../world.ts';

/** What models are asked for; operators route and pay by these names. */
export const modelSteps = [
  /** Whether an item is about the field at all. */
  'prefilter',
  /** How much an item matters, asked twice. */
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

export type Question<T> = {
  readonly step: ModelStep;
  readonly prompt: Prompt;
  /** The user message; text of strangers in it is fenced and quoted by whoever built it. */
  readonly input: string;
  readonly shape: z.ZodType<T>;
  /** A guard rail: null, or what is wrong, in words that the one repair attempt is told. */
  readonly check?: (value: T) => string | null;
  /** Id of the item, story or report it is about, for the records. */
  readonly subject?: string;
  /** 0 when absent; the same question with another turn is asked, and paid, on its own. */
  readonly turn?: number;
  readonly signal?: AbortSignal;
};

/** Why nobody answered: the built-in way is taken. */
export type BuiltInWhy =
  /** No model is configured for the step. */
  | 'unconfigured'
  /** A budget is exhausted. */
  | 'budget'
  /** The model's server failed, was too slow, or said no. */
  | 'failed'
  /** It answered, and also its repair broke the shape or a guard rail. */
  | 'refused'
  /** The same question may have been paid for already; its outcome is unknown yet. */
  | 'held';

export type Answered<T> =
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
export type Ask = <T>(world: World, question: Question<T>) => Promise<Answered<T>>;

export type Embedded =
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
) => Promise<Embedded>;
