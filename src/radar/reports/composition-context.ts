// Inputs of a report's composition besides the news: language, categories and rules.
import type { ReportPreference } from './events.ts';
import type { ReportRules } from './report-rules.ts';

export type ReportCategory = {
  readonly id: string;
  readonly label: { readonly en: string; readonly 'zh-CN': string };
};

export type CompositionContext = ReportPreference & {
  readonly rules: ReportRules;
  /** In the order of the sections. */
  readonly categories: readonly ReportCategory[];
};
