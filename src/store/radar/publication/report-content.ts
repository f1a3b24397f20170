// A report as it was written, before withdrawals and corrections: the text of each entry that day,
// and the items behind every sentence. It is never shown directly; the publication projects it.

export type ContentLanguage = 'en' | 'zh-CN';

/** Another report on the same event: it is counted, and named by its source. */
export type OtherReport = {
  readonly itemId: string;
  readonly owner: string;
  readonly sourceName: string;
  /** Its place in the timeline. */
  readonly at: number;
};

/** An operator's text for one entry of one report. It overrides all other texts. */
export type EntryEdit = {
  readonly title?: string;
  readonly summary?: string;
  readonly isRemoved?: true;
};

export type ContentEntry = {
  readonly itemId: string;
  /** The enrichment's title and summary of that day; corrections by operators come on top. */
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
  /** The importance of the event for this report. Internal, like heat. */
  readonly weight: number;
  readonly others: readonly OtherReport[];
  /** The first report that covered the event, with the items it cited. */
  readonly since: { readonly date: string; readonly itemIds: readonly string[] } | null;
  readonly edit?: EntryEdit;
};

/** Fixed text, or a field of an entry of this report, read at projection. */
export type SentencePart = string | { readonly itemId: string; readonly say: 'title' | 'gist' };

export type ContentSentence = {
  /** Everything it rests on: when one of them goes, the sentence goes. */
  readonly itemIds: readonly string[];
  readonly parts: readonly SentencePart[];
  /** Written by a model. Shown instead of the others, while its items are unchanged. */
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
