// Input and output of the clustering engine: items, the log of assignments, and operators' pins.
// All are values, independent of the store.

export type StoryItem = {
  readonly id: string;
  /** When it was published, ms. Null: it arrives after its predecessor, time plays no part. */
  readonly timeMs: number | null;
  /** BCP 47; the script of the text takes precedence. */
  readonly lang: string;
  readonly title: string;
  readonly text?: string;
  /** The publisher's owner; absent: unknown. */
  readonly owner?: string;
  /** Canonical addresses and ids the item points at: an arXiv paper, a repository, a post. */
  readonly links?: readonly string[];
};

export type Reason =
  | 'founded'
  | 'joined'
  | 'same-title'
  | 'roundup'
  | 'no-text'
  | 'pinned'
  | 'merged'
  | 'split'
  | 'revisited'
  | 'restored';

/** One line of the append-only log: where an item is from now on, and why. */
export type Assignment = {
  readonly itemId: string;
  readonly storyId: string;
  /** Probability that it belongs there, 0..1; 1 where a rule or a person decided. */
  readonly score: number;
  /** The best pair's features, by name; empty where no pair was compared. */
  readonly features: Readonly<Record<string, number>>;
  readonly rulesVersion: string;
  readonly reason: Reason;
};

/** An editor's word. It wins over everything, for ever. */
export type Pin =
  | { readonly kind: 'must-link'; readonly items: readonly [string, string] }
  | { readonly kind: 'cannot-link'; readonly items: readonly [string, string] }
  | { readonly kind: 'stand-alone'; readonly item: string };
