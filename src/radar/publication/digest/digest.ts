// What a story's digest is made of and what comes out: reports, the claims found in them, and the
// text with its sources. The functions are `claims-of.ts` and `write-digest.ts` beside this file.

/** A report as the digest sees it. Instants are epoch milliseconds. */
export type DigestReport = {
  readonly id: string;
  /** Who stands behind it: two reports of one owner are one voice. */
  readonly owner: string;
  readonly sourceName: string;
  readonly isFirstParty: boolean;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  readonly language: string;
  readonly at: number;
  readonly title: string;
  readonly summary: string | null;
  readonly text: string;
};

/** One figure, date or name that a report states about something. */
export type Claim = {
  /** Names it is about, lower case, sorted, in one string; `~` before one that is only a place or
   * a backer. Empty: the report's own matter. */
  readonly anchor: string;
  /** `raised`, `price@per-month@input`; `?money` when it is unsure what the figure is of.
   * `#was` and `#now` mark the two sides of a figure that the report takes back, `#from` and `#to`
   * those of one that it says has changed. */
  readonly attribute: string;
  /** `480000000|475000000..485000000` (what it says, and between what it may lie), with `~`, `≥` or
   * `≤` before it when the report says so; or `2026-11-18`. */
  readonly value: string;
  readonly unit: string | null;
  /** As the report says it. */
  readonly said: string;
  readonly at: number;
  readonly reportId: string;
  readonly sentence: string;
};

export type OwnedClaim = Claim & { readonly report: DigestReport };

export type DigestStatement = {
  readonly value: string;
  readonly reportId: string;
  readonly source: string;
  readonly at: number;
};

export type Contradiction = {
  readonly subject: string;
  readonly statements: readonly DigestStatement[];
};

export type DigestSentence = { readonly text: string; readonly reportIds: readonly string[] };

export type Digest = {
  readonly title: string;
  /** The newest development in a line; never empty. */
  readonly latest: string;
  readonly text: string;
  readonly language: string;
  readonly sentences: readonly DigestSentence[];
  readonly contradictions: readonly Contradiction[];
};

export type ReportWithClaims = DigestReport & { readonly claims: readonly Claim[] };

/** A digest's languages; which of them a site prefers decides only ties. */
export type DigestLanguage = 'en' | 'zh-CN';

/** Version of these rules: a digest written by another one is written again. */
export const digestRules = 'digest-7';
