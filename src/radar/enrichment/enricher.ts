// The enricher turns an item of a source into its public title, summary, category, score and
// reason. The rule-based enricher is a pure function; the model enricher uses it as a fallback.

/** An id of `editorial/categories.json`. The code does not depend on particular ids. */
export type Category = string;

export const tiers = ['T1', 'T1_5', 'T2'] as const;
/** T1 is a first party, T1_5 a trusted professional, T2 any other source. */
export type Tier = (typeof tiers)[number];

/** The language of text that the radar writes (`RADAR_LANGUAGE`). */
export type SiteLanguage = 'en' | 'zh-CN';

export type EnrichmentInput = {
  /** The source's own title, plain text. */
  readonly title: string;
  /** The best plain text of the body (feed content or extracted article); may be "". */
  readonly text: string;
  /** The source's own summary as plain text; may be "". */
  readonly summary: string;
  readonly url: string;
  /** Primary language: `en`, `zh`, … */
  readonly language: string;
  readonly source: {
    readonly name: string;
    readonly tier: Tier;
    /** isolated: listed under `all`, never selected. signal: counts for heat only. */
    readonly participation: 'editorial' | 'signal' | 'isolated';
  };
};

export type Enrichment = {
  /** Empty only when the input has no text. */
  readonly title: string;
  /** Null when it equals `title`. */
  readonly originalTitle: string | null;
  /** One to three complete sentences; null when the text has none. */
  readonly summary: string | null;
  /** Null without text. */
  readonly category: Category | null;
  /** 0..100 */
  readonly score: number;
  /**
   * True when the score reaches the tier's threshold. The one selected item per duplicate group is
   * chosen later.
   */
  readonly isWorthy: boolean;
  /** One line for readers; null when not worthy. */
  readonly reason: string | null;
  readonly summaryBy: 'rules' | 'model';
};

export type Enricher = {
  /** Version of rules and data. A change re-enriches old items only on request. */
  readonly version: string;
  enrich(input: EnrichmentInput): Enrichment;
};
