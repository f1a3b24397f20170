// A report as it was written, before anything is taken out of it or corrected: what each entry
// said that day, and for every sentence the items that it rests on. Never shown as it is; the
// publication projects it.

export type ContentLanguage = 'en' | 'zh-CN';

/** Another report on the same event: it is counted, and named by its source. */
export type OtherReport = {
  readonly itemId: string;
  readonly owner: string;
  readonly sourceName: string;
  /** Its place in the timeline. */
  readonly at: number;
};

/** An operator's words for one entry of one edition: they win over everything else. */
export type EntryEdit = {
  readonly title?: string;
  readonly summary?: string;
  readonly isRemoved?: true;
};

export type ContentEntry = {
  readonly itemId: string;
  /** The desk's title and summary of that day; an operator's corrections come on top. */
  readonly title: string;
  readonly summary: string | null;
  readonly owner: string;
  readonly sourceName: string;
  readonly originalUrl: string;
  /** As readers may see it: null when unknown or later than discovery. */
  readonly publishedAt: number | null;
  /** Its place in the timeline, and when it was found. */
  readonly at: number;
  readonly discoveredAt: number;
  readonly category: string | null;
  /** How much the event mattered to this edition. Internal, like heat. */
  readonly weight: number;
  readonly others: readonly OtherReport[];
  /** The edition that first told of the event, with the items it told it by. */
  readonly since: { readonly date: string; readonly itemIds: readonly string[] } | null;
  readonly edit?: EntryEdit;
};

/** Words of the house, or what an entry of this edition says at the moment of reading. */
export type SentencePart = string | { readonly itemId: string; readonly say: 'title' | 'gist' };

export type ContentSentence = {
  /** Everything it rests on: when one of them goes, the sentence goes. */
  readonly itemIds: readonly string[];
  readonly parts: readonly SentencePart[];
  /** In a model's words: shown instead of the others, while what it rests on says what it said. */
  readonly by?: 'model';
};

export type ContentSection = {
  /** A category's id, and its name in the site's language. */
  readonly category: string;
  readonly label: string;
  readonly summary: readonly ContentSentence[];
  readonly entries: readonly ContentEntry[];
};

export type ReportContent = {
  /** Version of the rules that wrote it. */
  readonly rules: string;
  readonly language: ContentLanguage;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Items of the sections, most important first: the first that is public leads. */
  readonly leads: readonly string[];
  /** Absent: the first entry's title. */
  readonly headline?: ContentSentence;
  readonly overview: readonly ContentSentence[];
  readonly sections: readonly ContentSection[];
  readonly flashes: readonly ContentEntry[];
  /** What operators had done to its items before it was written, by id of the act. */
  readonly knownActions: readonly string[];
};

export function entriesOf(content: ReportContent): readonly ContentEntry[] {
  return [...content.sections.flatMap((section) => section.entries), ...content.flashes];
}

/** Every item that something in the report rests on; what an operator took out included. */
export function citesOf(content: ReportContent): readonly string[] {
  return [
    ...new Set(
      entriesOf(content).flatMap((entry) => [
        entry.itemId,
        ...entry.others.map((other) => other.itemId),
        ...(entry.since?.itemIds ?? []),
      ]),
    ),
  ];
}
