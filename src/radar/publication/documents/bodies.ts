// The bodies of public documents by kind. Instants are epoch milliseconds. Bodies have no links;
// each output format makes its own.
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
  /** Publication, else discovery. */
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
    /** Name of its source. */
    readonly source: string;
    readonly at: number;
  }[];
};

export type StoryCopy = { readonly reportId: string; readonly originalId: string };

/** A figure that a later report replaced, as the digest words it. */
export type StoryRevision = {
  readonly subject: string;
  readonly previous: string;
  readonly current: string;
  /** Name of the source that states the current value. */
  readonly source: string;
  readonly at: number;
  readonly reportIds: readonly string[];
};

/** Why a report is in the story: the last line of the log about it. */
export type StoryReason = {
  readonly itemId: string;
  readonly reason: string;
  /** 0..1. */
  readonly score: number;
  /** What spoke for it, strongest first. */
  readonly names: readonly string[];
};

export type StoryDevelopmentBody = {
  /** Id of its earliest report that was grouped, which may not be public any more. */
  readonly id: string;
  /** The title of its earliest listed report. */
  readonly title: string;
  readonly reportIds: readonly string[];
  /** Distinct owners of its listed reports. */
  readonly sourceCount: number;
  readonly firstReportAt: number;
  readonly latestAt: number;
};

export type StoryBody = {
  readonly kind: 'story';
  readonly id: string;
  readonly title: string;
  /** Distinct owners of all reports. */
  readonly sourceCount: number;
  readonly reportCount: number;
  readonly firstReportAt: number;
  readonly latestAt: number;
  /** The newest development in a line; never empty. */
  readonly latest: string;
  readonly language: string;
  readonly digest: string | null;
  /** Null exactly when the digest is. */
  readonly digestUpdatedAt: number | null;
  readonly digestBy: 'rules' | 'model' | null;
  /** Newest first: the newest 50, and every one that a claim or a contradiction cites. */
  readonly reports: readonly StoryReport[];
  readonly hasMoreReports: boolean;
  /** Of all reports; the earliest first. */
  readonly sources: readonly StorySource[];
  /**
   * The reports above by development: one action of one actor with its figures. The newest report's
   * development first, each with its newest report first. Absent: the reports are not grouped.
   */
  readonly developments?: readonly StoryDevelopmentBody[];
  /** Survivors that are public. */
  readonly storyline: readonly StoryReference[];
  readonly related: readonly StoryReference[];
  readonly claims: readonly StoryClaim[];
  readonly contradictions: readonly StoryContradiction[];
  /** Newest first. Absent from documents that older rules wrote. */
  readonly revisions?: readonly StoryRevision[];
  /** Listed reports that repeat an earlier one word for word. Absent as above. */
  readonly copies?: readonly StoryCopy[];
  /** Reports per hour, or per day once it has lasted longer than three, without gaps. */
  readonly coverage: readonly { readonly at: number; readonly count: number }[];
  /** Of the reports above, in their order. */
  readonly why: readonly StoryReason[];
};

/** The story went into another; `into` is the last of the chain, which may not be public. */
export type MergedBody = { readonly kind: 'merged'; readonly into: string };

export type Trend = 'new' | 'rising' | 'falling' | 'steady';

/** One row of the ranking, whose place is its rank. How hot it is never leaves `rankings`. */
export type RankedTopic = {
  readonly storyId: string;
  /** The item that stands for the topic; title, source and original are its own. */
  readonly itemId: string;
  readonly title: string;
  readonly sourceName: string;
  readonly originalUrl: string;
  /** Distinct owners with a report, of editorial sources. */
  readonly sourceCount: number;
  /** Reports of signal sources. */
  readonly signalCount: number;
  /** Distinct owners of both. */
  readonly participantCount: number;
  /** Of editorial sources, the earliest first. */
  readonly sourceNames: readonly string[];
  readonly latestAt: number;
  /** Null: too little of it was observed throughout to say. */
  readonly trend: Trend | null;
  /** Reports per four hours up to the ranking, oldest first. */
  readonly spark: readonly number[];
};

export type RankingBody = {
  readonly rankedAt: number;
  readonly topics: readonly RankedTopic[];
};

/** The key of the one ranking that is public. */
export const RANKING_KEY = 'current';

type Bodies = {
  readonly story: StoryBody | MergedBody;
  readonly ranking: RankingBody;
  readonly daily: DailyBody;
  readonly weekly: WeeklyBody;
  readonly monthly: MonthlyBody;
};

export type BodyOf<K extends DocumentKind> = Bodies[K];
