// Options of `radar subscription add`.

export type SubscriptionAddOptions = {
  readonly file?: string;
  readonly name?: string;
  readonly kind: string;
  readonly any?: readonly string[];
  readonly none?: readonly string[];
  readonly category?: readonly string[];
  readonly source?: readonly string[];
  readonly story?: string;
  readonly report?: readonly string[];
  readonly severity?: string;
  readonly all?: boolean;
  readonly minScore?: number;
  readonly language: string;
  readonly every?: number;
  readonly daily?: readonly string[];
  readonly zone?: string;
};
