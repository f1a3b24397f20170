// Inputs and results of a story's digest: reports, the figures and days that they state, and the
// text with its sources.

/** A name of `editorial/digest/scopes.json`. Figures with different scopes are never compared. */
export type Scope = string;

/** Languages of the sentences about figures. */
export type PhraseLanguage = 'en' | 'zh';

/** Times are epoch milliseconds. */
export type DigestReport = {
  readonly id: string;
  /** The publisher's owner. Reports of one owner count as one source. */
  readonly owner: string;
  readonly sourceName: string;
  /** The source carries posts of people or lists of links, not its own reporting. */
  readonly isPost: boolean;
  readonly isFirstParty: boolean;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  /** The item's score, from 0 to 100. */
  readonly score: number;
  readonly language: string;
  readonly at: number;
  readonly title: string;
  readonly summary: string | null;
  readonly text: string;
};

export type ClaimValue =
  | {
      readonly kind: 'number';
      /** The range of values that the wording allows: from `low` to `high`. */
      readonly low: number;
      readonly high: number;
      readonly middle: number;
      readonly bound: 'exact' | 'about' | 'at_least' | 'at_most';
    }
  /** `2026-11-18`. */
  | { readonly kind: 'day'; readonly day: string };

export type ClaimSubject = {
  /** Lower case. */
  readonly name: string;
  readonly role: 'subject' | 'mention';
};

/** One figure or day that a report states about one measure. */
export type Claim = {
  /** A measure of `editorial/digest/measures.json`; null when no cue names one. */
  readonly measure: string | null;
  /** Sorted. */
  readonly scopes: readonly Scope[];
  readonly value: ClaimValue;
  /** `USD`, `percent`, `duration`, `day` …; null for a count. */
  readonly unit: string | null;
  /** The two sides of a sentence that corrects or updates a figure. */
  readonly correction: null | {
    readonly side: 'previous' | 'current';
    /** The report corrects a statement; otherwise the figure itself changed. */
    readonly isExplicit: boolean;
  };
  /**
   * Names in the claim's clause. A mention can show that two claims have the same subject, but not
   * that their subjects differ.
   */
  readonly subjects: readonly ClaimSubject[];
  /** The words of the report. */
  readonly quote: string;
  readonly sentence: string;
  /** 0: the title; 1: the first sentence of the text, and so on. */
  readonly position: number;
  readonly reportId: string;
  readonly at: number;
};

export type ReportWithClaims = DigestReport & { readonly claims: readonly Claim[] };
export type OwnedClaim = Claim & { readonly report: DigestReport };

/** Statements that exclude each other, one side for each value. */
export type Contradiction = {
  readonly subject: string;
  readonly statements: readonly ContradictionStatement[];
};

export type ContradictionStatement = {
  readonly value: string;
  readonly reportId: string;
  readonly source: string;
  readonly at: number;
};

/** A figure that a later report replaced. */
export type Revision = {
  readonly subject: string;
  readonly previous: string;
  readonly current: string;
  readonly source: string;
  readonly at: number;
  readonly reportIds: readonly string[];
};

/** A report that repeats an earlier one word for word. */
export type ReportCopy = { readonly reportId: string; readonly originalId: string };

export type DigestSentence = { readonly text: string; readonly reportIds: readonly string[] };

export type Digest = {
  readonly title: string;
  /** The report that the title comes from. It represents the story in rankings and reports. */
  readonly titleReportId: string;
  /** The newest development in a line; never empty. */
  readonly latest: string;
  readonly text: string;
  readonly language: string;
  readonly sentences: readonly DigestSentence[];
  readonly contradictions: readonly Contradiction[];
  /** Newest first. */
  readonly revisions: readonly Revision[];
  readonly copies: readonly ReportCopy[];
};

/** Languages for which digest phrases exist. */
export type DigestLanguage = 'en' | 'zh-CN';

/** Version of these rules: a digest of another version is written again. */
export const digestRules = 'digest-24';
