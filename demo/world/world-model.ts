// Defines the types of the demonstration world: companies, events, entries and ground truth. Times
// are epoch milliseconds (UTC).

export type Lang = 'en' | 'zh';

export type Category = 'ai-models' | 'ai-products' | 'industry' | 'paper' | 'tip' | 'opinion';

/** A name or phrase in both languages. */
export type Pair = { readonly en: string; readonly zh: string };

export type Person = {
  readonly name: string;
  readonly zh: string;
  readonly role?: string;
  readonly roleZh?: string;
  readonly she?: boolean;
};

export type Product = {
  readonly id: string;
  readonly name: string;
  readonly zh?: string;
  readonly kind: string;
  /** Versions in order; the first is released before the world begins. */
  readonly line: readonly string[];
  readonly about: string;
  readonly aboutZh: string;
};

export type Company = {
  readonly id: string;
  readonly name: string;
  readonly full: string;
  readonly short?: string;
  readonly zh: string;
  readonly zhFull?: string;
  readonly shortZh?: string;
  readonly region: 'west' | 'east';
  readonly field: string;
  /** 1 (small) to 5 (covered by all publishers). */
  readonly size: number;
  readonly city: string;
  readonly what: string;
  readonly whatZh: string;
  readonly about: readonly string[];
  readonly aboutZh: readonly string[];
  readonly people: readonly Person[];
  readonly products: readonly Product[];
};

/** A fact as a value, so that every report can word it differently without changing it. */
export type Value =
  | { readonly kind: 'text'; readonly en: string; readonly zh: string }
  | { readonly kind: 'money'; readonly currency: 'USD' | 'CNY'; readonly value: number }
  | { readonly kind: 'percent'; readonly value: number }
  | { readonly kind: 'count'; readonly value: number }
  | { readonly kind: 'tokens'; readonly value: number }
  | { readonly kind: 'minutes'; readonly value: number }
  | { readonly kind: 'megawatts'; readonly value: number }
  | { readonly kind: 'watts'; readonly value: number }
  | { readonly kind: 'day'; readonly value: number };

export type Facts = Readonly<Record<string, Value>>;

/** A figure that reports of one event contradict, or that a later report revises. */
export type Plant = {
  readonly kind: 'contradiction' | 'revision';
  readonly slot: string;
  readonly other: Value;
};

export type WorldEvent = {
  readonly id: string;
  readonly type: string;
  readonly category: Category;
  readonly storylineId: string;
  readonly at: number;
  readonly company: Company;
  readonly product: Product | null;
  readonly facts: Facts;
  /** Planned number of reports, 1 to 9. */
  readonly reports: number;
  readonly plantedContradiction: Plant | null;
  /** A similar event that is easily confused with this one. */
  readonly confusableWith: string | null;
};

export type Edit = {
  readonly at: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
};

export type WorldEntry = {
  /** Unique in the world: publisher and running number. */
  readonly key: string;
  readonly publisherId: string;
  readonly eventId: string;
  readonly storylineId: string;
  readonly kind: 'report' | 'single' | 'roundup';
  readonly category: Category;
  readonly at: number;
  readonly lang: 'en' | 'zh-CN';
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly author: string | null;
  /** The entry whose text this one repeats nearly word for word. */
  readonly copyOf: string | null;
  /** The entry of the same publisher that this one republishes with a new id and date. */
  readonly republicationOf: string | null;
  /** The publisher's later silent changes, in order. */
  readonly edits: readonly Edit[];
  readonly withdrawnAt: number | null;
  /** True when the text corrects an earlier figure. */
  readonly correctsEarlier: boolean;
  /** The figures that the text states, by slot. */
  readonly figures: Readonly<Record<string, Value>>;
};

/** An entry before it has a number. */
export type EntryWithoutKey = Omit<WorldEntry, 'key'>;

export type DemoWorld = {
  readonly seed: number;
  readonly now: number;
  readonly companies: readonly Company[];
  readonly events: readonly WorldEvent[];
  /** By time, then key. Entries after `now` are in the future. */
  readonly entries: readonly WorldEntry[];
};
