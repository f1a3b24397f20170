// The shapes of the demonstration world: who exists, what happened, who wrote about it, and what
// is true. Instants are epoch milliseconds (UTC).

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
  /** Versions in order; the first is out before the world begins. */
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

/** A fact as a value, so that every report can say it in its own way and none by accident wrong. */
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

/** A figure that reports of one event disagree about, or that a later report revises. */
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
  /** How many reports it is worth, 1 to 9. */
  readonly reports: number;
  readonly plant: Plant | null;
  /** An event that a hasty reader takes for this one. */
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
  /** The entry of the same publisher that this one publishes again with a new id and date. */
  readonly republicationOf: string | null;
  /** What the publisher changed later without saying so, in order. */
  readonly edits: readonly Edit[];
  readonly withdrawnAt: number | null;
  /** True when the text takes back a figure that was given before. */
  readonly correctsEarlier: boolean;
  /** The figures that the text states, by slot. */
  readonly figures: Readonly<Record<string, Value>>;
};

/** An entry before it is numbered. */
export type Unkeyed = Omit<WorldEntry, 'key'>;

export type DemoWorld = {
  readonly seed: number;
  readonly now: number;
  readonly companies: readonly Company[];
  readonly events: readonly WorldEvent[];
  /** By time, then key; those after `now` are still to come. */
  readonly entries: readonly WorldEntry[];
};
