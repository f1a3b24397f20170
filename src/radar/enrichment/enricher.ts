// The editorial desk: turns what a source wrote into what a reader sees. The built-in desk is a
// pure function of its inputs; a model's desk answers the same question later.

/** An id of `editorial/categories.json`: the field's own, so code knows none of them. */
export type Category = string;

export const tiers = ['T1', 'T1_5', 'T2'] as const;
/** T1 a first party, T1_5 a trusted professional, T2 everyone else. */
export type Tier = (typeof tiers)[number];

/** The language of text that the radar writes itself (`RADAR_LANGUAGE`). */
export type SiteLanguage = 'en' | 'zh-CN';

export type DeskInput = {
  /** The source's own title, plain text. */
  readonly title: string;
  /** The best plain text we have of the body (feed content or extracted article); may be "". */
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

export type Judgement = {
  /** Never empty when the input has any text at all. */
  readonly title: string;
  /** Null when it equals `title`. */
  readonly originalTitle: string | null;
  /** One to three whole sentences; null when the text holds none. */
  readonly summary: string | null;
  /** Null when there is no text to judge by. */
  readonly category: Category | null;
  /** 0..100 */
  readonly score: number;
  /** Whether the score clears the tier's threshold; the reading group's one seat is given later. */
  readonly isWorthy: boolean;
  /** Why, in a line for readers, true of this item; null when not worthy. */
  readonly reason: string | null;
  readonly summaryBy: 'rules' | 'model';
};

export type Desk = {
  /** Version of rules and data; a change never re-judges the past unless asked. */
  readonly version: string;
  judge(input: DeskInput): Judgement;
};
