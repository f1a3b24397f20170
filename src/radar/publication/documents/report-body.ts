// The public body of a daily, weekly or monthly report: the contract's "Reports" without links.
// Output formats make the links from item ids. Instants are epoch milliseconds; days, weeks and
// months are keys.

/** One event, represented by its best report. */
export type ReportEntry = {
  readonly itemId: string;
  readonly title: string;
  /** Empty when the item has no summary. */
  readonly summary: string;
  /**
   * The summary without the sentence about other publishers, for pages that list the current
   * sources. Absent: it equals `summary`, or older rules wrote the document.
   */
  readonly ownText?: string;
  readonly sourceName: string;
  /** URL of the original. */
  readonly originalUrl: string;
  /** Time of publication; null when unknown. */
  readonly publishedAt: number | null;
};

/** A brief: an item with its title alone. */
export type ReportFlash = Omit<ReportEntry, 'summary' | 'publishedAt'> & {
  /** Time of publication, or of discovery when it is unknown. */
  readonly publishedAt: number;
};

export type ReportCorrection = { readonly at: number; readonly note: string };

type ReportDates = {
  /** Time of generation, or of the latest correction. */
  readonly generatedAt: number;
  readonly windowStart: number;
  /** The end of the period, exclusive. */
  readonly windowEnd: number;
  /** Newest first. */
  readonly corrections: readonly ReportCorrection[];
};

export type DailyBody = ReportDates & {
  readonly kind: 'daily';
  /** YYYY-MM-DD in Asia/Shanghai; the document's key. */
  readonly date: string;
  readonly lead: { readonly title: string; readonly leadParagraph: string } | null;
  /** In the order of the categories. Categories without entries are absent. */
  readonly sections: readonly DailySection[];
  readonly flashes: readonly ReportFlash[];
};

export type DailySection = {
  /** The category's id. */
  readonly category: string;
  /** The category's name in the site's language. */
  readonly label: string;
  readonly items: readonly ReportEntry[];
};

export type PeriodSection = DailySection & { readonly summary: string | null };

export type PeriodBody<K extends 'weekly' | 'monthly'> = ReportDates & {
  readonly kind: K;
  /** `2026-W39` or `2026-09`; the document's key. */
  readonly key: string;
  /** First and last day, YYYY-MM-DD. */
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly headline: string | null;
  readonly overview: string | null;
  /** In the order of the categories. Categories without entries are absent. */
  readonly sections: readonly PeriodSection[];
};

export type WeeklyBody = PeriodBody<'weekly'>;
export type MonthlyBody = PeriodBody<'monthly'>;
