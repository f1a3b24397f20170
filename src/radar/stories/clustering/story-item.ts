// Input and output of the clustering engine: items, the log of assignments, and operators' pins.
// All are values, independent of the store.

export type StoryItem = {
  readonly id: string;
  /** Time of publication, ms. Null: unknown; only the order of arrival counts. */
  readonly timeMs: number | null;
  /** BCP 47; the script of the text takes precedence. */
  readonly lang: string;
  readonly title: string;
  readonly text?: string;
  /** The id of the item's source; absent: unknown. */
  readonly source?: string;
  /** Canonical addresses of documents that the item links to: a paper, a repository, a post. */
  readonly links?: readonly string[];
};

export type Reason =
  | 'founded'
  | 'joined'
  | 'roundup'
  | 'no-text'
  | 'pinned'
  | 'merged'
  | 'split'
  | 'revisited'
  | 'restored';

/** One entry of the append-only log: the new story of an item, and the reason. */
export type Assignment = {
  readonly itemId: string;
  readonly storyId: string;
  /** Probability of the assignment, 0..1; 1 for a rule's or an operator's decision. */
  readonly score: number;
  /** The values behind a decision, by name; empty where no stories were compared. */
  readonly features: Readonly<Record<string, number>>;
  readonly rulesVersion: string;
  readonly reason: Reason;
};

/** An operator's decision. The engine never overrides it. */
export type Pin =
  | { readonly kind: 'must-link'; readonly items: readonly [string, string] }
  | { readonly kind: 'cannot-link'; readonly items: readonly [string, string] }
  | { readonly kind: 'stand-alone'; readonly item: string };
