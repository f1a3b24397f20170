// What a model's desk says of an item besides its judgement: which step was answered by whom, with
// which prompt and receipt, what was marked, and what readers do not see, tags and facts.
import type { BuiltInWhy } from '../../../kernel/ports/model.ts';
import type { Judgement } from '../enricher.ts';
import type { PromptName } from '../prompts/prompt-files.ts';

export type JudgedStep = {
  readonly prompt: PromptName;
  readonly version: string;
} & (
  | { readonly by: 'model'; readonly model: string; readonly receipt: string }
  | { readonly by: 'rules'; readonly why: BuiltInWhy; readonly detail: string | null }
);

export type Fact = { readonly text: string; readonly quote: string };

export type ModelRecord = {
  readonly steps: readonly JudgedStep[];
  /** What each of the two readings gave; null: the built-in score stood in for it. */
  readonly scores: readonly (number | null)[];
  /** The two readings lie far apart. */
  readonly isApart: boolean;
  /** Spelled as the source spells them. */
  readonly tags: readonly string[];
  readonly facts: readonly Fact[];
  /** What a model wrote and a guard dropped, in words. */
  readonly dropped: readonly string[];
};

export type Judged = {
  readonly judgement: Judgement;
  readonly version: string;
  /** Null: no model was asked. */
  readonly record: ModelRecord | null;
};
