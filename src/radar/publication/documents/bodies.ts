// The bodies of public documents by kind. Instants are epoch milliseconds. Bodies have no links,
// because each output format adds its own.
import type { DocumentKind } from '../../../store/schema/stories.ts';
import type { DailyBody, MonthlyBody, WeeklyBody } from './report-body.ts';

export type StoryReport = {
  /** The item's id. */
  readonly id: string;
  readonly title: string;
  readonly summary: string | null;
  readonly sourceName: string;
  readonly owner: string;
  readonly firstParty: boolean;
  /** Time of publication, or of discovery when it is unknown. */
  readonly at: number;
  readonly publishedAt: number | null;
  readonly originalUrl: string;
  readonly language: string;
};

export type StorySource = {
  readonly name: string;
  readonly firstParty: boolean;
  readonly reportCount: number;
  readonly firstAt: number;
  readonly latestAt: number;
};

export type StoryReference = {
  readonly id: string;
  readonly title: string;
  readonly relation: 'storyline' | 'related';
};

export type StoryClaim = { readonly text: string; readonly reportIds: readonly string[] };

export type StoryContradiction = {
  readonly subject: string;
  readonly statements: readonly {
    readonly value: string;
    readonly reportId: string;
    /** Name of the item's source. */
    readonly source: string;
    readonly at: number;
  }[];
};

export type StoryCopy = { readonly reportId: string; readonly originalId: string };

/** A figure that a later report replaced, in the words of the digest. */
export type StoryRevision = {
  readonly subject: string;
  readonly previous: string;
  readonly current: string;
  /** Name of the source that states the current value. */
  readonly source: string;
  readonly at: number;
  readonly reportIds: readonly string[];
};

/** The reason why a report is in the story: its last entry in the assignment log. */
export type StoryReason = {
  readonly itemId: string;
  readonly reason: string;
  /** From 0 to 1. */
  readonly score: number;
  /** The features that support the assignment, strongest first. */
  readonly names: readonly string[];
};

export type StoryDevelopmentBody = {
  /** Id of the earliest report, which may not be public any more. */
  readonly id: string;
  /** The title of the development's earliest listed report. */
  readonly title: string;
  readonly reportIds: readonly string[];
  /** Distinct owners of the development's listed reports. */
  readonly sourceCount: number;
  readonly firstReportAt: number;
  readonly latestAt: number;
};

export type StoryBody = {
  readonly kind: 'story';
  readonly id: string;
  readonly title: string;
  /**
   * Distinct owners of all reports, listed or not. Signal sources count only when a story has no
   * other source.
   */
  readonly sourceCount: number;
  readonly reportCount: number;
  readonly firstReportAt: number;
  readonly latestAt: number;
  /** One line about the newest development; never empty. */
  readonly latest: string;
  readonly language: string;
  readonly digest: string | null;
  /** Null exactly when `digest` is null. */
  readonly digestUpdatedAt: number | null;
  readonly digestBy: 'rules' | 'model' | null;
  /** Newest first: the newest 50, and each report that a claim, contradiction or revision cites. */
  readonly reports: readonly StoryReport[];
  readonly hasMoreReports: boolean;
  /** Sources of all reports, earliest first. */
  readonly sources: readonly StorySource[];
  /**
   * The listed reports, grouped by development, such as one announcement with its figures.
   * Developments and their reports are in the order of `reports`. Absent: the reports are not
   * grouped.
   */
  readonly developments?: readonly StoryDevelopmentBody[];
  /** Public stories. A merged story is replaced by the story into which it was merged. */
  readonly storyline: readonly StoryReference[];
  readonly related: readonly StoryReference[];
  readonly claims: readonly StoryClaim[];
  readonly contradictions: readonly StoryContradiction[];
  /** Newest first. Absent from documents that older rules wrote. */
  readonly revisions?: readonly StoryRevision[];
  /**
   * Listed reports that repeat an earlier one word for word. Absent from documents that older rules
   * wrote.
   */
  readonly copies?: readonly StoryCopy[];
  /** Reports per hour, or per day for a story of at least three days. Without gaps. */
  readonly coverage: readonly { readonly at: number; readonly count: number }[];
  /** The reasons of the listed reports, in the order of `reports`. */
  readonly why: readonly StoryReason[];
};

/**
 * The story was merged into another one. `into` is the last story of a chain of merges. It may not
 * be public.
 */
export type MergedBody = { readonly kind: 'merged'; readonly into: string };

export type Trend = 'new' | 'rising' | 'falling' | 'steady';

/** One row of the ranking. The order is the rank. Heat values are not public. */
export type RankedTopic = {
  readonly storyId: string;
  /** The item that represents the topic. Title, source and original come from it. */
  readonly itemId: string;
  readonly title: string;
  readonly sourceName: string;
  readonly originalUrl: string;
  /** Distinct owners of editorial sources with a report. */
  readonly sourceCount: number;
  /** Reports of signal sources. */
  readonly signalCount: number;
  /** Distinct owners of editorial and signal sources. */
  readonly participantCount: number;
  /** Editorial sources, earliest first. */
  readonly sourceNames: readonly string[];
  readonly latestAt: number;
  /** Null: the observed time is too short for a trend. */
  readonly trend: Trend | null;
  /** Reports per four hours before the ranking, oldest first. */
  readonly spark: readonly number[];
};

export type RankingBody = {
  readonly rankedAt: number;
  readonly topics: readonly RankedTopic[];
};

/** The key of the single public ranking. */
export const RANKING_KEY = 'current';

type Bodies = {
  readonly story: StoryBody | MergedBody;
  readonly ranking: RankingBody;
  readonly daily: DailyBody;
  readonly weekly: WeeklyBody;
  readonly monthly: MonthlyBody;
};

export type BodyOf<K extends DocumentKind> = Bodies[K];
