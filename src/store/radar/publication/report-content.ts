// The types of a report as it was written, before withdrawals and corrections: the texts of its
// entries, and the source items of each sentence. This content is private; the publication derives
// the public report from it.

export type ContentLanguage = 'en' | 'zh-CN';

/**
 * Another item on the same event. The public report names the item's source, or counts the owner of
 * the source.
 */
export type OtherReport = {
  readonly itemId: string;
  readonly owner: string;
  readonly sourceName: string;
  /** The item's time in the timeline. */
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
  /** Title and summary of the enrichment at that time, without operators' corrections. */
  readonly title: string;
  readonly summary: string | null;
  readonly owner: string;
  readonly sourceName: string;
  readonly originalUrl: string;
  /** Time of publication for readers: null when unknown or later than the discovery. */
  readonly publishedAt: number | null;
  /** The item's time in the timeline, and the time of its discovery. */
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

/**
 * Fixed text, or a field of an entry of this report. The field is read when the public report is
 * built.
 */
export type SentencePart = string | { readonly itemId: string; readonly say: 'title' | 'gist' };

export type ContentSentence = {
  /** Ids of the sentence's source items. The sentence is removed when any of them is withdrawn. */
  readonly itemIds: readonly string[];
  readonly parts: readonly SentencePart[];
  /**
   * A model wrote the sentence. It is used instead of the rule-based sentences while its items are
   * unchanged.
   */
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
  /** Version of the rules that wrote the report. */
  readonly rules: string;
  readonly language: ContentLanguage;
  readonly firstDay: string;
  readonly lastDay: string;
  /**
   * Items of the sections, most important first. The lead is the first public item with a clear
   * title. When no title is clear, the lead is the first public item.
   */
  readonly leads: readonly string[];
  /** Absent: the first entry's title. */
  readonly headline?: ContentSentence;
  readonly overview: readonly ContentSentence[];
  readonly sections: readonly ContentSection[];
  /** Briefs: entries after the sections. */
  readonly flashes: readonly ContentEntry[];
  /** Ids of operators' actions on the report's items before the report was written. */
  readonly knownActions: readonly string[];
};

export function entriesOf(content: ReportContent): readonly ContentEntry[] {
  return [...content.sections.flatMap((section) => section.entries), ...content.flashes];
}

/** All items that the report cites, including those that an operator removed. */
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
