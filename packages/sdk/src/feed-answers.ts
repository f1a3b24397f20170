// What the feed answers and takes. Written by bin/node24
// tests/sdk/generate-declarations.ts.

/** Whom to name, and where to point, when this is shown elsewhere. */
export type Attribution = {
  /** Name of this radar. */
  readonly name: string;

  /** Page to credit. */
  readonly url: string;
};

/** Who published it. */
export type Source = {
  /** Name of the publisher. */
  readonly name: string;
};

/** One piece of news. */
export type Item = {
  /** Identifier; opaque and never given to another item. */
  readonly id: string;

  /** Title in the language of this radar. */
  readonly title: string;

  /** Title as the source gave it; null when it is equal to title. */
  readonly originalTitle: string | null;

  /** What it says, in a few sentences. */
  readonly summary: string | null;
  readonly source: Source;

  /** Where to read on. */
  readonly links: {
    /** Page of this radar about the item. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** The original at its publisher. */
    readonly original: string;
  };
  readonly publishedAt: string | null;

  /** When this radar received it. */
  readonly discoveredAt: string;
  readonly category: string | null;

  /** How much it matters to readers. */
  readonly score: number | null;

  /** Whether it belongs to the selected set. */
  readonly selected: boolean;
  readonly attribution: Attribution;

  /** Language of title and summary. More values may come. */
  readonly language: string;

  /** Who wrote title and summary. More values may come. */
  readonly summaryBy: string;

  /** The event it reports on; null when it belongs to none. */
  readonly story: {
    /** Identifier of a story, good for GET /api/v1/stories/{publicId}. */
    readonly publicId: string;
  } | null;

  /** Why it was selected; null when it was not. */
  readonly reason: string | null;
};

/** An item as the selected set carries it: everything but the reason. */
export type MirroredItem = {
  /** Identifier; opaque and never given to another item. */
  readonly id: string;

  /** Title in the language of this radar. */
  readonly title: string;

  /** Title as the source gave it; null when it is equal to title. */
  readonly originalTitle: string | null;

  /** What it says, in a few sentences. */
  readonly summary: string | null;
  readonly source: Source;

  /** Where to read on. */
  readonly links: {
    /** Page of this radar about the item. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** The original at its publisher. */
    readonly original: string;
  };
  readonly publishedAt: string | null;

  /** When this radar received it. */
  readonly discoveredAt: string;
  readonly category: string | null;

  /** How much it matters to readers. */
  readonly score: number | null;

  /** Whether it belongs to the selected set. */
  readonly selected: boolean;
  readonly attribution: Attribution;

  /** Language of title and summary. More values may come. */
  readonly language: string;

  /** Who wrote title and summary. More values may come. */
  readonly summaryBy: string;

  /** The event it reports on; null when it belongs to none. */
  readonly story: {
    /** Identifier of a story, good for GET /api/v1/stories/{publicId}. */
    readonly publicId: string;
  } | null;
};

/** An item without its texts, for mirrors that only keep track. */
export type MinimalItem = {
  /** Identifier; opaque and never given to another item. */
  readonly id: string;

  /** Title in the language of this radar. */
  readonly title: string;
  readonly source: Source;

  /** Where to read on. */
  readonly links: {
    /** Page of this radar about the item. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly publishedAt: string | null;

  /** When this radar received it. */
  readonly discoveredAt: string;
  readonly category: string | null;

  /** How much it matters to readers. */
  readonly score: number | null;

  /** Whether it belongs to the selected set. */
  readonly selected: boolean;

  /** Language of title and summary. More values may come. */
  readonly language: string;

  /** Who wrote title and summary. More values may come. */
  readonly summaryBy: string;

  /** The event it reports on; null when it belongs to none. */
  readonly story: {
    /** Identifier of a story, good for GET /api/v1/stories/{publicId}. */
    readonly publicId: string;
  } | null;
};

/** One topic of the ranking. */
export type HotTopic = {
  /** Position, from 1. */
  readonly rank: number;

  /** The representative item, or else the story. */
  readonly id: string;

  /** What is being talked about. */
  readonly title: string;
  readonly source: Source;

  /** Where to read on. Without story there is no story to ask for. */
  readonly links: {
    /** Page of this radar about the topic. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** The original that stands for the topic. */
    readonly original: string;

    /** Page of the story; its last segment is the publicId. */
    readonly story?: string;
  };

  /** Distinct owners with a report. */
  readonly sourceCount: number;

  /** Reports of sources that only listen to what is talked about. */
  readonly signalCount: number;

  /** Distinct owners of both kinds. */
  readonly participantCount: number;

  /** Names of the sources. */
  readonly sourceNames: readonly string[];

  /** Time of the newest report. */
  readonly latestAt: string;
};

/** One report of the event. */
export type StoryReport = {
  /** Identifier of the item. */
  readonly id: string;

  /** Title of the report. */
  readonly title: string;

  /** What it says. */
  readonly summary: string | null;

  /** Who published it. */
  readonly source: {
    /** Name of the publisher. */
    readonly name: string;

    /** Whether the event is about the publisher itself. */
    readonly firstParty: boolean;
  };

  /** When it was published, or else discovered. */
  readonly publishedAt: string;

  /** Where to read on. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** The original. */
    readonly original: string;
  };
};

/** Another story; never one that was merged away. */
export type RelatedStory = {
  /** Identifier of a story, good for GET /api/v1/stories/{publicId}. */
  readonly publicId: string;

  /** Title of that story. */
  readonly title: string;

  /** How it belongs. More values may come. */
  readonly relation: string;

  /** Where to read on. */
  readonly links: {
    /** Page of this radar about the story. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** The story at this API. */
    readonly api: string;
  };
};

/** A sentence of the digest and its evidence. */
export type Claim = {
  /** One sentence of the digest. */
  readonly text: string;

  /** What the sentence rests on. */
  readonly reportIds: readonly string[];
};

/** Where reports disagree; the digest says so too. */
export type Contradiction = {
  /** What the reports disagree about. */
  readonly subject: string;

  /** One entry per version. */
  readonly statements: readonly {
    /** What is said. */
    readonly value: string;

    /** The report in reports[] that says it. */
    readonly reportId: string;

    /** Name of its publisher. */
    readonly source: string;

    /** Time of the report. */
    readonly at: string;
  }[];
};

/** One event of the real world and its coverage. */
export type Story = {
  /** Identifier of a story, good for GET /api/v1/stories/{publicId}. */
  readonly publicId: string;

  /** What happened. */
  readonly title: string;

  /** "active" while the newest report is younger than 72 hours. More values may come. */
  readonly status: string;

  /** Distinct owners with a report. */
  readonly sourceCount: number;

  /** All reports, those not listed included. */
  readonly reportCount: number;

  /** Time of the first report. */
  readonly firstReportAt: string;

  /** Time of the newest report. */
  readonly latestAt: string;

  /** The newest development in a line. */
  readonly latest: string;

  /** What is known, rewritten as the event goes on. */
  readonly digest: string | null;
  readonly digestUpdatedAt: string | null;
  readonly digestBy: string | null;

  /** Where to read on. */
  readonly links: {
    /** Page of this radar about the story. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };

  /** The newest 50, newest first, and every report that a claim rests on. */
  readonly reports: readonly StoryReport[];

  /** Whether there are reports that are not listed. */
  readonly hasMoreReports: boolean;

  /** Everybody who reported, over all reports. */
  readonly sources: readonly {
    /** Name of the publisher. */
    readonly name: string;

    /** Whether the event is about the publisher itself. */
    readonly firstParty: boolean;

    /** Its reports. */
    readonly reportCount: number;

    /** Its first report. */
    readonly firstAt: string;

    /** Its newest report. */
    readonly latestAt: string;
  }[];

  /** Stories that this one continues or led to. */
  readonly storyline: readonly RelatedStory[];

  /** Other stories near it. */
  readonly related: readonly RelatedStory[];

  /** The digest by sentence. */
  readonly claims: readonly Claim[];

  /** Where reports disagree. */
  readonly contradictions: readonly Contradiction[];
};

/** A daily in the index. */
export type DailyEntry = {
  /** Day of the edition in Asia/Shanghai. */
  readonly date: string;

  /** When this edition was written; it moves with a correction. */
  readonly generatedAt: string;

  /** Where to read it. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;

  /** Title of the lead. */
  readonly leadTitle: string | null;

  /** Paragraph of the lead. */
  readonly leadParagraph: string | null;
};

/** One daily edition: the 24 hours before 08:00 Asia/Shanghai. */
export type Daily = {
  /** Day of the edition in Asia/Shanghai. */
  readonly date: string;

  /** When this edition was written; it moves with a correction. */
  readonly generatedAt: string;

  /** Where to read it. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;

  /** Start of the covered time. */
  readonly windowStart: string;

  /** End of the covered time; not in it. */
  readonly windowEnd: string;

  /** What the day was about; null on a day without news. */
  readonly lead: {
    /** Title of the lead. */
    readonly title: string;

    /** Its paragraph. */
    readonly leadParagraph: string;
  } | null;

  /** The news by section. */
  readonly sections: readonly {
    /** Name of the section. */
    readonly label: string;

    /** Its news. */
    readonly items: readonly {
      /** Title. */
      readonly title: string;
      readonly source: Source;

      /** Where to read on. Without story there is no story to ask for. */
      readonly links: {
        readonly html: string | null;

        /** Equal to html. */
        readonly aihot: string | null;

        /** The original. */
        readonly original: string;

        /** Page of the story; its last segment is the publicId. */
        readonly story?: string;
      };
      readonly attribution: Attribution;

      /** Distinct owners with a report on the event, as of now. */
      readonly sourceCount: number;

      /** Whether their reports disagree about a figure or a day. */
      readonly disagreement: boolean;

      /** Empty when there is none. */
      readonly summary: string;
    }[];
  }[];

  /** Shorter news. */
  readonly flashes: readonly {
    /** Title. */
    readonly title: string;
    readonly source: Source;

    /** Where to read on. Without story there is no story to ask for. */
    readonly links: {
      readonly html: string | null;

      /** Equal to html. */
      readonly aihot: string | null;

      /** The original. */
      readonly original: string;

      /** Page of the story; its last segment is the publicId. */
      readonly story?: string;
    };
    readonly attribution: Attribution;

    /** Distinct owners with a report on the event, as of now. */
    readonly sourceCount: number;

    /** Whether their reports disagree about a figure or a day. */
    readonly disagreement: boolean;

    /** When it was published. */
    readonly publishedAt: string;
  }[];

  /** The date before it; null without one. */
  readonly prevKey: string | null;

  /** The date after it; null without one. */
  readonly nextKey: string | null;

  /** Corrections, newest first. */
  readonly corrections: readonly {
    /** When it was corrected. */
    readonly at: string;

    /** What was corrected. */
    readonly note: string;
  }[];
};

/** A report in the index of weeks. */
export type WeeklyEntry = {
  /** ISO week. */
  readonly week: string;

  /** First day of the week. */
  readonly periodStart: string;

  /** Last day of the week. */
  readonly periodEnd: string;

  /** When this edition was written; it moves with a correction. */
  readonly generatedAt: string;

  /** What the week was about, in a line. */
  readonly headline: string | null;

  /** Where to read it. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;
};

/** One report of a week, compiled from its dailies. */
export type Weekly = {
  /** ISO week. */
  readonly week: string;

  /** First day of the week. */
  readonly periodStart: string;

  /** Last day of the week. */
  readonly periodEnd: string;

  /** When this edition was written; it moves with a correction. */
  readonly generatedAt: string;

  /** What the week was about, in a line. */
  readonly headline: string | null;

  /** Where to read it. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;

  /** Start of the covered time. */
  readonly windowStart: string;

  /** End of the covered time; not in it. */
  readonly windowEnd: string;

  /** The week in a few sentences. */
  readonly overview: string | null;

  /** By section; those without news are left out. */
  readonly sections: readonly {
    /** Name of the section. */
    readonly label: string;

    /** What happened in it. */
    readonly summary: string | null;

    /** Its most important news. */
    readonly items: readonly {
      /** Title. */
      readonly title: string;

      /** Empty when there is none. */
      readonly summary: string;
      readonly source: Source;

      /** Where to read on. Without story there is no story to ask for. */
      readonly links: {
        readonly html: string | null;

        /** Equal to html. */
        readonly aihot: string | null;

        /** The original. */
        readonly original: string;

        /** Page of the story; its last segment is the publicId. */
        readonly story?: string;
      };
      readonly publishedAt: string | null;
      readonly attribution: Attribution;

      /** Distinct owners with a report on the event, as of now. */
      readonly sourceCount: number;

      /** Whether their reports disagree about a figure or a day. */
      readonly disagreement: boolean;
    }[];
  }[];

  /** The week before it; null without one. */
  readonly prevKey: string | null;

  /** The week after it; null without one. */
  readonly nextKey: string | null;

  /** Corrections, newest first. */
  readonly corrections: readonly {
    /** When it was corrected. */
    readonly at: string;

    /** What was corrected. */
    readonly note: string;
  }[];
};

/** A report in the index of months. */
export type MonthlyEntry = {
  /** Month. */
  readonly month: string;

  /** First day of the month. */
  readonly periodStart: string;

  /** Last day of the month. */
  readonly periodEnd: string;

  /** When this edition was written; it moves with a correction. */
  readonly generatedAt: string;

  /** What the month was about, in a line. */
  readonly headline: string | null;

  /** Where to read it. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;
};

/** One report of a month, compiled from its dailies. */
export type Monthly = {
  /** Month. */
  readonly month: string;

  /** First day of the month. */
  readonly periodStart: string;

  /** Last day of the month. */
  readonly periodEnd: string;

  /** When this edition was written; it moves with a correction. */
  readonly generatedAt: string;

  /** What the month was about, in a line. */
  readonly headline: string | null;

  /** Where to read it. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;

  /** Start of the covered time. */
  readonly windowStart: string;

  /** End of the covered time; not in it. */
  readonly windowEnd: string;

  /** The month in a few sentences. */
  readonly overview: string | null;

  /** By section; those without news are left out. */
  readonly sections: readonly {
    /** Name of the section. */
    readonly label: string;

    /** What happened in it. */
    readonly summary: string | null;

    /** Its most important news. */
    readonly items: readonly {
      /** Title. */
      readonly title: string;

      /** Empty when there is none. */
      readonly summary: string;
      readonly source: Source;

      /** Where to read on. Without story there is no story to ask for. */
      readonly links: {
        readonly html: string | null;

        /** Equal to html. */
        readonly aihot: string | null;

        /** The original. */
        readonly original: string;

        /** Page of the story; its last segment is the publicId. */
        readonly story?: string;
      };
      readonly publishedAt: string | null;
      readonly attribution: Attribution;

      /** Distinct owners with a report on the event, as of now. */
      readonly sourceCount: number;

      /** Whether their reports disagree about a figure or a day. */
      readonly disagreement: boolean;
    }[];
  }[];

  /** The month before it; null without one. */
  readonly prevKey: string | null;

  /** The month after it; null without one. */
  readonly nextKey: string | null;

  /** Corrections, newest first. */
  readonly corrections: readonly {
    /** When it was corrected. */
    readonly at: string;

    /** What was corrected. */
    readonly note: string;
  }[];
};

/** Take this item in, in place of what you have of it. */
export type Upsert = {
  readonly op: 'upsert';

  /** When it changed. */
  readonly changedAt: string;
  readonly item: MirroredItem | MinimalItem;
};

/** Let this item go. */
export type Removal = {
  readonly op: 'remove';

  /** When it changed. */
  readonly changedAt: string;

  /** The item to let go. */
  readonly id: string;
};

/** One page of recent items. */
export type ItemsPage = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** The question as it was understood. */
  readonly query: {
    /** Which items. More values may come. */
    readonly mode: string;

    /** The category asked for; null for all. */
    readonly category: string | null;

    /** How far back. More values may come. */
    readonly window: string;

    /** The words searched for, trimmed; null without. */
    readonly q: string | null;

    /** Which time sorts. More values may come. */
    readonly by: string;

    /** How the items are sorted. More values may come. */
    readonly ordering: string;
  };

  /** The items, newest first. */
  readonly items: readonly Item[];

  /** Where this page stands. */
  readonly page: {
    /** Items in this answer. */
    readonly count: number;

    /** Whether there is more; exact. */
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
  };
};

/** The latest ranking. */
export type HotTopicList = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** Topics in this answer. */
  readonly count: number;
  readonly rankedAt: string | null;

  /** The topics by rank. */
  readonly items: readonly HotTopic[];
};

/** One story. */
export type StoryEnvelope = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;
  readonly story: Story;
};

/** An index of reports. */
export type DailyIndex = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** Entries in this answer. */
  readonly count: number;

  /** The reports, newest first. */
  readonly items: readonly DailyEntry[];
};

/** One report. */
export type DailyEnvelope = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;
  readonly report: Daily;
};

/** An index of reports. */
export type WeeklyIndex = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** Entries in this answer. */
  readonly count: number;

  /** The reports, newest first. */
  readonly items: readonly WeeklyEntry[];
};

/** One report. */
export type WeeklyEnvelope = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;
  readonly report: Weekly;
};

/** An index of reports. */
export type MonthlyIndex = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** Entries in this answer. */
  readonly count: number;

  /** The reports, newest first. */
  readonly items: readonly MonthlyEntry[];
};

/** One report. */
export type MonthlyEnvelope = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;
  readonly report: Monthly;
};

/** A page of the selected set, frozen at one moment. */
export type SnapshotPage = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** When the snapshot was taken: the time of its first page. */
  readonly asOf: string;

  /** Which fields the items have. More values may come. */
  readonly fields: string;

  /** Where to go on with the changes: the same on every page. */
  readonly cursor: string;

  /** Items in this answer. */
  readonly count: number;

  /** Items of the whole snapshot. */
  readonly totalCount: number;

  /** Whether there is more; exact. */
  readonly hasMore: boolean;
  readonly nextPage: string | null;

  /** The items of this page. */
  readonly items: readonly (MirroredItem | MinimalItem)[];
};

/** What has changed in the selected set. */
export type ChangesPage = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** Which fields the items have. More values may come. */
  readonly fields: string;

  /** Where to go on; also when nothing has changed. */
  readonly cursor: string;

  /** Changes in this answer. */
  readonly count: number;

  /** Whether there is more; exact. */
  readonly hasMore: boolean;

  /** The changes in their order. */
  readonly changes: readonly (Upsert | Removal)[];
};

export type JsonFeed = {
  readonly version: 'https://jsonfeed.org/version/1.1';
  readonly title: string;
  readonly home_page_url: string;
  readonly feed_url: string;
  readonly description: string;
  readonly language: string;
  readonly items: readonly {
    /** Stays when the address of the entry changes. */
    readonly id: string;

    /** The page of this radar. */
    readonly url: string;

    /** The original, where it differs. */
    readonly external_url?: string;
    readonly title: string;
    readonly content_html: string;
    readonly summary?: string;
    readonly date_published: string;
    readonly date_modified?: string;
    readonly authors?: readonly {
      readonly name: string;
    }[];
    readonly tags?: readonly string[];
    readonly language: string;
  }[];
};

/** What went wrong (RFC 9457). */
export type Problem = {
  /** Address of a page about this kind of problem. */
  readonly type: string;

  /** The kind of problem. */
  readonly title: string;

  /** The HTTP status. */
  readonly status: number;

  /** What is wrong this time. */
  readonly detail: string;

  /** Path of the request. */
  readonly instance: string;

  /** The kind of problem, for programs. More values may come. */
  readonly code: string;

  /** To quote when asking about it; also X-Request-Id. */
  readonly requestId: string;

  /** Seconds to wait at least; also Retry-After. */
  readonly retryAfter?: number;
};

/** The query of listItems. */
export type ListItemsQuery = {
  /** Only the selected set, or all public items. */
  readonly mode?: 'selected' | 'all';

  /** Only items of this category. */
  readonly category?: 'paper';

  /** How far back: a day or a week. */
  readonly window?: '24h' | '7d';

  /**
   * Which time sorts: the timeline of this radar, or publication (discovery where
   * unknown).
   */
  readonly by?: 'timeline' | 'published';

  /**
   * Words to search for, 2 to 200 code points after trimming. An item matches when
   * every word occurs in its titles, its summary or the name of its source. The
   * order stays that of `by`.
   */
  readonly q?: string;

  /** How many at most. */
  readonly limit?: number;

  /** An opaque value of an earlier answer, unchanged, with the same other parameters. */
  readonly cursor?: string;
};

/** The query of readSelectedSnapshot. */
export type ReadSelectedSnapshotQuery = {
  /** Whole items (default), or what a list needs (minimal). */
  readonly fields?: 'default' | 'minimal';

  /** How many at most. */
  readonly limit?: number;

  /** nextPage of the page before, unchanged. It fixes the snapshot and its fields. */
  readonly page?: string;
};

/** The query of readSelectedChanges. */
export type ReadSelectedChangesQuery = {
  /** An opaque value of an earlier answer, unchanged, with the same other parameters. */
  readonly cursor?: string;

  /** How many at most. */
  readonly limit?: number;
};

/** The query of listDailyReports. */
export type ListDailyReportsQuery = {
  /** How many at most. */
  readonly limit?: number;
};

/** The query of listWeeklyReports. */
export type ListWeeklyReportsQuery = {
  /** How many at most. */
  readonly limit?: number;
};

/** The query of listMonthlyReports. */
export type ListMonthlyReportsQuery = {
  /** How many at most. */
  readonly limit?: number;
};

/** The query of readLatestForAgents. */
export type ReadLatestForAgentsQuery = {
  /** How far back: a day or a week. */
  readonly window?: '24h' | '7d';

  /** How many at most. */
  readonly limit?: number;

  /** Only the selected set, or all public items. */
  readonly mode?: 'selected' | 'all';

  /** Only items of this category. */
  readonly category?: 'paper';
};

/** The query of searchForAgents. */
export type SearchForAgentsQuery = {
  /** How far back: a day or a week. */
  readonly window?: '24h' | '7d';

  /** How many at most. */
  readonly limit?: number;

  /**
   * Words to search for, 2 to 200 code points after trimming. An item matches when
   * every word occurs in its titles, its summary or the name of its source. The
   * order stays that of `by`.
   */
  readonly q: string;

  /** Only items of this category. */
  readonly category?: 'paper';
};

/** The query of readHotForAgents. */
export type ReadHotForAgentsQuery = {
  /** How many at most. */
  readonly limit?: number;
};

/** The query of readStoryForAgents. */
export type ReadStoryForAgentsQuery = {
  /** How many at most. */
  readonly limit?: number;
};

/** The query of readFeed. */
export type ReadFeedQuery = {
  /** Only items of this category. */
  readonly category?: 'paper';

  /** Only items in this language. */
  readonly language?: 'en' | 'zh';

  /** How many at most. */
  readonly limit?: number;

  /** Only items with at least this public score; 0 includes all. */
  readonly minScore?: number;

  /** Only the selected set, or all public items. */
  readonly mode?: 'selected' | 'all';

  /**
   * Words to search for, 2 to 200 code points after trimming. An item matches when
   * every word occurs in its titles, its summary or the name of its source. The
   * order stays that of `by`.
   */
  readonly q?: string;

  /** Only items of this publisher: its public name, without regard to case. */
  readonly source?: string;
};

/** The query of readFeedAsJson. */
export type ReadFeedAsJsonQuery = {
  /** Only items of this category. */
  readonly category?: 'paper';

  /** Only items in this language. */
  readonly language?: 'en' | 'zh';

  /** How many at most. */
  readonly limit?: number;

  /** Only items with at least this public score; 0 includes all. */
  readonly minScore?: number;

  /** Only the selected set, or all public items. */
  readonly mode?: 'selected' | 'all';

  /**
   * Words to search for, 2 to 200 code points after trimming. An item matches when
   * every word occurs in its titles, its summary or the name of its source. The
   * order stays that of `by`.
   */
  readonly q?: string;

  /** Only items of this publisher: its public name, without regard to case. */
  readonly source?: string;
};
