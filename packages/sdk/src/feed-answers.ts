// Types of the requests and responses of the feed. Written by bin/node24
// tests/sdk/generate-declarations.ts.

/** Name and link to show wherever this content is shown. */
export type Attribution = {
  /** Name of this radar. */
  readonly name: string;

  /** Page to link. */
  readonly url: string;
};

/** Publisher of the item. */
export type Source = {
  /** Name of the publisher. */
  readonly name: string;
};

/** A news item. */
export type Item = {
  /** Opaque identifier, never reused. */
  readonly id: string;

  /** Title in the language of this radar. */
  readonly title: string;

  /** Title as the source published it; null when equal to `title`. */
  readonly originalTitle: string | null;

  /** Summary in a few sentences. */
  readonly summary: string | null;
  readonly source: Source;

  /** Further addresses. */
  readonly links: {
    /** Page of this radar about the item. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** Address of the original article. */
    readonly original: string;
  };
  readonly publishedAt: string | null;

  /** Time at which this radar received the item. */
  readonly discoveredAt: string;
  readonly category: string | null;

  /** Importance for readers, 0 to 100. */
  readonly score: number | null;

  /** True when the item belongs to the selected set. */
  readonly selected: boolean;
  readonly attribution: Attribution;

  /** Language of title and summary. More values may come. */
  readonly language: string;

  /** Author of title and summary. More values may come. */
  readonly summaryBy: string;

  /** Story of the item; null when it belongs to none. */
  readonly story: {
    /** Identifier of a story, for GET /api/v1/stories/{publicId}. */
    readonly publicId: string;
  } | null;

  /** Reason of the selection; null when not selected. */
  readonly reason: string | null;
};

/** An item of the selected set: all fields except `reason`. */
export type MirroredItem = {
  /** Opaque identifier, never reused. */
  readonly id: string;

  /** Title in the language of this radar. */
  readonly title: string;

  /** Title as the source published it; null when equal to `title`. */
  readonly originalTitle: string | null;

  /** Summary in a few sentences. */
  readonly summary: string | null;
  readonly source: Source;

  /** Further addresses. */
  readonly links: {
    /** Page of this radar about the item. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** Address of the original article. */
    readonly original: string;
  };
  readonly publishedAt: string | null;

  /** Time at which this radar received the item. */
  readonly discoveredAt: string;
  readonly category: string | null;

  /** Importance for readers, 0 to 100. */
  readonly score: number | null;

  /** True when the item belongs to the selected set. */
  readonly selected: boolean;
  readonly attribution: Attribution;

  /** Language of title and summary. More values may come. */
  readonly language: string;

  /** Author of title and summary. More values may come. */
  readonly summaryBy: string;

  /** Story of the item; null when it belongs to none. */
  readonly story: {
    /** Identifier of a story, for GET /api/v1/stories/{publicId}. */
    readonly publicId: string;
  } | null;
};

/** An item without summary, original title, attribution and original address. */
export type MinimalItem = {
  /** Opaque identifier, never reused. */
  readonly id: string;

  /** Title in the language of this radar. */
  readonly title: string;
  readonly source: Source;

  /** Further addresses. */
  readonly links: {
    /** Page of this radar about the item. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly publishedAt: string | null;

  /** Time at which this radar received the item. */
  readonly discoveredAt: string;
  readonly category: string | null;

  /** Importance for readers, 0 to 100. */
  readonly score: number | null;

  /** True when the item belongs to the selected set. */
  readonly selected: boolean;

  /** Language of title and summary. More values may come. */
  readonly language: string;

  /** Author of title and summary. More values may come. */
  readonly summaryBy: string;

  /** Story of the item; null when it belongs to none. */
  readonly story: {
    /** Identifier of a story, for GET /api/v1/stories/{publicId}. */
    readonly publicId: string;
  } | null;
};

/** One topic of the ranking. */
export type HotTopic = {
  /** Position, from 1. */
  readonly rank: number;

  /** Identifier of the representative item, or of the story when there is none. */
  readonly id: string;

  /** Title of the topic. */
  readonly title: string;
  readonly source: Source;

  /** Further addresses. `story` is absent when the topic has no story. */
  readonly links: {
    /** Page of this radar about the topic. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** Original article that represents the topic. */
    readonly original: string;

    /** Page of the story; its last segment is the publicId. */
    readonly story?: string;
  };

  /** Number of distinct owners with a report. */
  readonly sourceCount: number;

  /** Number of reports by sources that are only a signal of attention. */
  readonly signalCount: number;

  /** Number of distinct owners of both kinds of sources. */
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

  /** Summary of the report. */
  readonly summary: string | null;

  /** Publisher of the report. */
  readonly source: {
    /** Name of the publisher. */
    readonly name: string;

    /** True when the publisher is a party of the event. */
    readonly firstParty: boolean;
  };

  /** Time of publication, or of discovery when unknown. */
  readonly publishedAt: string;

  /** Further addresses. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** Address of the original article. */
    readonly original: string;
  };
};

/** Another story. Merged stories are never listed. */
export type RelatedStory = {
  /** Identifier of a story, for GET /api/v1/stories/{publicId}. */
  readonly publicId: string;

  /** Title of the other story. */
  readonly title: string;

  /** Relation of the two stories. More values may come. */
  readonly relation: string;

  /** Further addresses. */
  readonly links: {
    /** Page of this radar about the story. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;

    /** Address of the story in this API. */
    readonly api: string;
  };
};

/** A sentence of the digest with its evidence. */
export type Claim = {
  /** One sentence of the digest. */
  readonly text: string;

  /** Reports that support the sentence. */
  readonly reportIds: readonly string[];
};

/** A disagreement of the reports. The digest states it too. */
export type Contradiction = {
  /** Subject of the disagreement. */
  readonly subject: string;

  /** Statements of the reports, each with its value. */
  readonly statements: readonly {
    /** Stated value. */
    readonly value: string;

    /** Report in reports[] that states the value. */
    readonly reportId: string;

    /** Name of the publisher of the report. */
    readonly source: string;

    /** Time of the report. */
    readonly at: string;
  }[];
};

/** An event of the real world and its coverage. */
export type Story = {
  /** Identifier of a story, for GET /api/v1/stories/{publicId}. */
  readonly publicId: string;

  /** Title of the story. */
  readonly title: string;

  /** "active" while the newest report is younger than 72 hours. More values may come. */
  readonly status: string;

  /** Number of distinct owners with a report. */
  readonly sourceCount: number;

  /** Number of all reports, including those not listed. */
  readonly reportCount: number;

  /** Time of the first report. */
  readonly firstReportAt: string;

  /** Time of the newest report. */
  readonly latestAt: string;

  /** Newest development in one line. */
  readonly latest: string;

  /** Digest of the event, rewritten when the event develops. */
  readonly digest: string | null;
  readonly digestUpdatedAt: string | null;
  readonly digestBy: string | null;

  /** Further addresses. */
  readonly links: {
    /** Page of this radar about the story. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };

  /** The newest 50 reports, newest first, and every report that supports a claim. */
  readonly reports: readonly StoryReport[];

  /** True when further reports are not listed. */
  readonly hasMoreReports: boolean;

  /** Publishers of all reports. */
  readonly sources: readonly {
    /** Name of the publisher. */
    readonly name: string;

    /** True when the publisher is a party of the event. */
    readonly firstParty: boolean;

    /** Number of reports by this publisher. */
    readonly reportCount: number;

    /** Time of the first report by this publisher. */
    readonly firstAt: string;

    /** Time of the newest report by this publisher. */
    readonly latestAt: string;
  }[];

  /** Earlier and later stories of the same storyline. */
  readonly storyline: readonly RelatedStory[];

  /** Similar stories. */
  readonly related: readonly RelatedStory[];

  /** The digest by sentence. */
  readonly claims: readonly Claim[];

  /** Disagreements of the reports. */
  readonly contradictions: readonly Contradiction[];
};

/** A daily in the index. */
export type DailyEntry = {
  /** Day of the report in Asia/Shanghai. */
  readonly date: string;

  /** Time of writing, or of the last correction. */
  readonly generatedAt: string;

  /** Addresses of the report. */
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

/** A daily report about the 24 hours before 08:00 Asia/Shanghai. */
export type Daily = {
  /** Day of the report in Asia/Shanghai. */
  readonly date: string;

  /** Time of writing, or of the last correction. */
  readonly generatedAt: string;

  /** Addresses of the report. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;

  /** Start of the covered time. */
  readonly windowStart: string;

  /** End of the covered time, exclusive. */
  readonly windowEnd: string;

  /** Lead of the day; null on a day without news. */
  readonly lead: {
    /** Title of the lead. */
    readonly title: string;

    /** Paragraph of the lead. */
    readonly leadParagraph: string;
  } | null;

  /** The news by section. */
  readonly sections: readonly {
    /** Name of the section. */
    readonly label: string;

    /** News of the section. */
    readonly items: readonly {
      /** Title. */
      readonly title: string;
      readonly source: Source;

      /** Further addresses. `story` is absent when the item belongs to no story. */
      readonly links: {
        readonly html: string | null;

        /** Equal to html. */
        readonly aihot: string | null;

        /** Address of the original article. */
        readonly original: string;

        /** Page of the story; its last segment is the publicId. */
        readonly story?: string;
      };
      readonly attribution: Attribution;

      /** Number of distinct owners with a report on the event, at present. */
      readonly sourceCount: number;

      /** True when reports on the event state different figures or days. */
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

    /** Further addresses. `story` is absent when the item belongs to no story. */
    readonly links: {
      readonly html: string | null;

      /** Equal to html. */
      readonly aihot: string | null;

      /** Address of the original article. */
      readonly original: string;

      /** Page of the story; its last segment is the publicId. */
      readonly story?: string;
    };
    readonly attribution: Attribution;

    /** Number of distinct owners with a report on the event, at present. */
    readonly sourceCount: number;

    /** True when reports on the event state different figures or days. */
    readonly disagreement: boolean;

    /** Time of publication. */
    readonly publishedAt: string;
  }[];

  /** The date of the previous report; null when there is none. */
  readonly prevKey: string | null;

  /** The date of the next report; null when there is none. */
  readonly nextKey: string | null;

  /** Corrections, newest first. */
  readonly corrections: readonly {
    /** Time of the correction. */
    readonly at: string;

    /** Text of the correction. */
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

  /** Time of writing, or of the last correction. */
  readonly generatedAt: string;

  /** What the week was about, in a line. */
  readonly headline: string | null;

  /** Addresses of the report. */
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

  /** Time of writing, or of the last correction. */
  readonly generatedAt: string;

  /** What the week was about, in a line. */
  readonly headline: string | null;

  /** Addresses of the report. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;

  /** Start of the covered time. */
  readonly windowStart: string;

  /** End of the covered time, exclusive. */
  readonly windowEnd: string;

  /** The week in a few sentences. */
  readonly overview: string | null;

  /** Sections with news. */
  readonly sections: readonly {
    /** Name of the section. */
    readonly label: string;

    /** Overview of the section. */
    readonly summary: string | null;

    /** Most important news of the section. */
    readonly items: readonly {
      /** Title. */
      readonly title: string;

      /** Empty when there is none. */
      readonly summary: string;
      readonly source: Source;

      /** Further addresses. `story` is absent when the item belongs to no story. */
      readonly links: {
        readonly html: string | null;

        /** Equal to html. */
        readonly aihot: string | null;

        /** Address of the original article. */
        readonly original: string;

        /** Page of the story; its last segment is the publicId. */
        readonly story?: string;
      };
      readonly publishedAt: string | null;
      readonly attribution: Attribution;

      /** Number of distinct owners with a report on the event, at present. */
      readonly sourceCount: number;

      /** True when reports on the event state different figures or days. */
      readonly disagreement: boolean;
    }[];
  }[];

  /** The week of the previous report; null when there is none. */
  readonly prevKey: string | null;

  /** The week of the next report; null when there is none. */
  readonly nextKey: string | null;

  /** Corrections, newest first. */
  readonly corrections: readonly {
    /** Time of the correction. */
    readonly at: string;

    /** Text of the correction. */
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

  /** Time of writing, or of the last correction. */
  readonly generatedAt: string;

  /** What the month was about, in a line. */
  readonly headline: string | null;

  /** Addresses of the report. */
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

  /** Time of writing, or of the last correction. */
  readonly generatedAt: string;

  /** What the month was about, in a line. */
  readonly headline: string | null;

  /** Addresses of the report. */
  readonly links: {
    /** Page of this radar about the report. */
    readonly html: string;

    /** Equal to html. */
    readonly aihot: string;
  };
  readonly attribution: Attribution;

  /** Start of the covered time. */
  readonly windowStart: string;

  /** End of the covered time, exclusive. */
  readonly windowEnd: string;

  /** The month in a few sentences. */
  readonly overview: string | null;

  /** Sections with news. */
  readonly sections: readonly {
    /** Name of the section. */
    readonly label: string;

    /** Overview of the section. */
    readonly summary: string | null;

    /** Most important news of the section. */
    readonly items: readonly {
      /** Title. */
      readonly title: string;

      /** Empty when there is none. */
      readonly summary: string;
      readonly source: Source;

      /** Further addresses. `story` is absent when the item belongs to no story. */
      readonly links: {
        readonly html: string | null;

        /** Equal to html. */
        readonly aihot: string | null;

        /** Address of the original article. */
        readonly original: string;

        /** Page of the story; its last segment is the publicId. */
        readonly story?: string;
      };
      readonly publishedAt: string | null;
      readonly attribution: Attribution;

      /** Number of distinct owners with a report on the event, at present. */
      readonly sourceCount: number;

      /** True when reports on the event state different figures or days. */
      readonly disagreement: boolean;
    }[];
  }[];

  /** The month of the previous report; null when there is none. */
  readonly prevKey: string | null;

  /** The month of the next report; null when there is none. */
  readonly nextKey: string | null;

  /** Corrections, newest first. */
  readonly corrections: readonly {
    /** Time of the correction. */
    readonly at: string;

    /** Text of the correction. */
    readonly note: string;
  }[];
};

/** Store this item and replace an earlier state of it. */
export type Upsert = {
  readonly op: 'upsert';

  /** Time of the change. */
  readonly changedAt: string;
  readonly item: MirroredItem | MinimalItem;
};

/** Delete this item. */
export type Removal = {
  readonly op: 'remove';

  /** Time of the change. */
  readonly changedAt: string;

  /** Identifier of the item to delete. */
  readonly id: string;
};

/** One page of recent items. */
export type ItemsPage = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** The interpreted query. */
  readonly query: {
    /** Selected or all items. More values may come. */
    readonly mode: string;

    /** Requested category; null for all. */
    readonly category: string | null;

    /** Requested length of time. More values may come. */
    readonly window: string;

    /** Search text, trimmed; null without a search. */
    readonly q: string | null;

    /** Time by which the items are sorted. More values may come. */
    readonly by: string;

    /** Order of the items. More values may come. */
    readonly ordering: string;
  };

  /** The items, newest first. */
  readonly items: readonly Item[];

  /** Position of this page. */
  readonly page: {
    /** Number of items in this response. */
    readonly count: number;

    /** True when a further page exists; exact. */
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
  };
};

/** The latest ranking. */
export type HotTopicList = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** Number of topics in this response. */
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

  /** Number of entries in this response. */
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

  /** Number of entries in this response. */
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

  /** Number of entries in this response. */
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

  /** Time of the snapshot, equal on all its pages. */
  readonly asOf: string;

  /** Set of fields of each item. More values may come. */
  readonly fields: string;

  /** Cursor for the changes after the snapshot, equal on all its pages. */
  readonly cursor: string;

  /** Number of items in this response. */
  readonly count: number;

  /** Number of items of the whole snapshot. */
  readonly totalCount: number;

  /** True when a further page exists; exact. */
  readonly hasMore: boolean;
  readonly nextPage: string | null;

  /** The items of this page. */
  readonly items: readonly (MirroredItem | MinimalItem)[];
};

/** Changes of the selected set. */
export type ChangesPage = {
  /** Version of this envelope. Fields may be added without a new version. */
  readonly schemaVersion: 1;

  /** Set of fields of each item. More values may come. */
  readonly fields: string;

  /** Cursor for later changes, also when nothing has changed. */
  readonly cursor: string;

  /** Number of changes in this response. */
  readonly count: number;

  /** True when a further page exists; exact. */
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
    /** Identifier that is independent of the address. */
    readonly id: string;

    /** Page of this radar about the item or report. */
    readonly url: string;

    /** Address of the original, where it differs. */
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

/** A problem (RFC 9457). */
export type Problem = {
  /** Address of a page about this kind of problem. */
  readonly type: string;

  /** The kind of problem. */
  readonly title: string;

  /** The HTTP status. */
  readonly status: number;

  /** Description of this occurrence. */
  readonly detail: string;

  /** Path of the request. */
  readonly instance: string;

  /** Error code for programs. More values may come. */
  readonly code: string;

  /** Identifier for questions to the operator; also X-Request-Id. */
  readonly requestId: string;

  /** Minimum seconds before a retry; also Retry-After. */
  readonly retryAfter?: number;
};

/** The query of listItems. */
export type ListItemsQuery = {
  /** Only the selected set, or all public items. */
  readonly mode?: 'selected' | 'all';

  /** Only items of this category. */
  readonly category?: 'paper';

  /** Length of time: a day or a week. */
  readonly window?: '24h' | '7d';

  /**
   * Time by which the items are ordered. `timeline`: the position in this radar’s
   * timeline. `published`: the time of publication, or of discovery when publication
   * is unknown.
   */
  readonly by?: 'timeline' | 'published';

  /**
   * Words to search for, 2 to 200 code points after trimming. An item matches when
   * every word occurs in its titles, its summary or the name of its source. The
   * order stays that of `by`.
   */
  readonly q?: string;

  /** Maximum number of results. */
  readonly limit?: number;

  /** Opaque value of an earlier response, unchanged, with the same other parameters. */
  readonly cursor?: string;
};

/** The query of readSelectedSnapshot. */
export type ReadSelectedSnapshotQuery = {
  /** `default`: complete items. `minimal`: only the fields that a list needs. */
  readonly fields?: 'default' | 'minimal';

  /** Maximum number of results. */
  readonly limit?: number;

  /**
   * nextPage of the previous page, unchanged. All pages have the same snapshot and
   * fields.
   */
  readonly page?: string;
};

/** The query of readSelectedChanges. */
export type ReadSelectedChangesQuery = {
  /** Opaque value of an earlier response, unchanged, with the same other parameters. */
  readonly cursor?: string;

  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of listDailyReports. */
export type ListDailyReportsQuery = {
  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of listWeeklyReports. */
export type ListWeeklyReportsQuery = {
  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of listMonthlyReports. */
export type ListMonthlyReportsQuery = {
  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of readLatestForAgents. */
export type ReadLatestForAgentsQuery = {
  /** Length of time: a day or a week. */
  readonly window?: '24h' | '7d';

  /** Maximum number of results. */
  readonly limit?: number;

  /** Only the selected set, or all public items. */
  readonly mode?: 'selected' | 'all';

  /** Only items of this category. */
  readonly category?: 'paper';
};

/** The query of searchForAgents. */
export type SearchForAgentsQuery = {
  /** Length of time: a day or a week. */
  readonly window?: '24h' | '7d';

  /** Maximum number of results. */
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
  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of readStoryForAgents. */
export type ReadStoryForAgentsQuery = {
  /** Maximum number of results. */
  readonly limit?: number;
};

/** The query of readFeed. */
export type ReadFeedQuery = {
  /** Only items of this category. */
  readonly category?: 'paper';

  /** Only items in this language. */
  readonly language?: 'en' | 'zh';

  /** Maximum number of results. */
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

  /** Only items of the publisher with this public name; letter case is ignored. */
  readonly source?: string;
};

/** The query of readFeedAsJson. */
export type ReadFeedAsJsonQuery = {
  /** Only items of this category. */
  readonly category?: 'paper';

  /** Only items in this language. */
  readonly language?: 'en' | 'zh';

  /** Maximum number of results. */
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

  /** Only items of the publisher with this public name; letter case is ignored. */
  readonly source?: string;
};
