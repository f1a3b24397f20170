// The record of a model enrichment: the model, prompt and request of each step, failures, and data
// that readers do not see (tags and facts).
import type { BuiltInReason } from '../../../kernel/ports/model.ts';
import type { Enrichment } from '../enricher.ts';
import type { PromptName } from '../prompts/prompt-files.ts';

export type EnrichmentStep = {
  readonly prompt: PromptName;
  readonly version: string;
} & (
  | { readonly by: 'model'; readonly model: string; readonly receipt: string }
  | { readonly by: 'rules'; readonly why: BuiltInReason; readonly detail: string | null }
);

export type ReportedFact = { readonly text: string; readonly quote: string };

export type ModelRecord = {
  readonly steps: readonly EnrichmentStep[];
  /** Scores of the two requests; null where the rule-based score replaced it. */
  readonly scores: readonly (number | null)[];
  /** True when the two scores differ by the setting `apart` of the prompt or more. */
  readonly isApart: boolean;
  /** Tags in the spelling of the source. */
  readonly tags: readonly string[];
  readonly facts: readonly ReportedFact[];
  /** Descriptions of the parts of replies that the guardrails removed. */
  readonly dropped: readonly string[];
};

export type EnrichmentRecord = {
  readonly enrichment: Enrichment;
  readonly version: string;
  /** Null when no model was used. */
  readonly record: ModelRecord | null;
};
