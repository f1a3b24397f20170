// Builds the public ranking from the newest stored ranking. A topic stays public while its public
// reports qualify it. When a topic is removed, the lower topics move up. No topic is added before
// the next ranking (feed contract, HotTopic).
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { findNewestRanking, type StoredTopic } from '../../../store/radar/publication/rankings.ts';
import { listReportRoles, type ReportRoles } from '../../../store/radar/stories/story-digests.ts';
import { readEditsOfStories } from '../../../store/radar/stories/story-edits.ts';
import {
  listReportsOfItems,
  type StoryReportRow,
} from '../../../store/radar/stories/story-reports.ts';
import { RANKING_KEY, type RankedTopic, type RankingBody } from './bodies.ts';
import { findFirstParties } from './first-party.ts';
import type { DocumentProjection } from './projector.ts';

export async function projectRanking(
  _world: World,
  tx: Db,
): Promise<ReadonlyMap<string, DocumentProjection>> {
  const ranking = await findNewestRanking(tx);
  if (ranking === null) return new Map();
  const { rankedAt } = ranking;
  const itemIds = ranking.topics.flatMap((topic) => topic.itemIds);
  const reports = new Map((await listReportsOfItems(tx, itemIds)).map((row) => [row.id, row]));
  const storyIds = [...new Set([...reports.values()].map(({ storyId }) => storyId))];
  const roles = await listReportRoles(tx, storyIds);
  const topics: RankedTopic[] = [];
  for (const topic of ranking.topics) {
    const topicView = projectTopic(topic, { reports, roles }, rankedAt);
    // Topics that were merged later become one, at the better rank.
    const isDuplicate = topics.some((other) => other.storyId === topicView?.storyId);
    if (topicView !== null && !isDuplicate) topics.push(topicView);
  }
  const body: RankingBody = { rankedAt, topics: await placeTopics(tx, topics) };
  return new Map([[RANKING_KEY, { body, cites: [...itemIds].sort(), sortAt: rankedAt }]]);
}

/**
 * Applies operators' titles and placements. The lead comes first, then promoted topics, then all
 * others. Sunk topics are left out.
 */
async function placeTopics(
  tx: Db,
  topics: readonly RankedTopic[],
): Promise<readonly RankedTopic[]> {
  const edits = await readEditsOfStories(
    tx,
    topics.map(({ storyId }) => storyId),
  );
  const placementOrder = { lead: 0, promoted: 1 } as const;
  const placeOf = ({ storyId }: RankedTopic) => {
    const placement = edits.get(storyId)?.placement ?? null;
    return placement === null || placement === 'sunk' ? 2 : placementOrder[placement];
  };
  return topics
    .filter(({ storyId }) => edits.get(storyId)?.placement !== 'sunk')
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((topic) => ({ ...topic, title: edits.get(topic.storyId)?.title ?? topic.title }));
}

/** The number of values in a topic's chart. */
const SPARK_BUCKETS = 12;

/** The time that one value of the chart covers. */
const SPARK_MS = 4 * 3_600_000;

type KnownReports = {
  readonly reports: ReadonlyMap<string, StoryReportRow>;
  readonly roles: ReportRoles;
};

function projectTopic(
  { storyId, itemIds, trend }: StoredTopic,
  knownReports: KnownReports,
  rankedAt: number,
): RankedTopic | null {
  const reports = itemIds.flatMap((id) => knownReports.reports.get(id) ?? []);
  const editorialReports = reports.filter((report) => report.participation === 'editorial');
  const { titleIds, outdatedIds } = knownReports.roles;
  const currentReports = editorialReports.filter(({ id }) => !outdatedIds.has(id));
  const candidates = currentReports.length > 0 ? currentReports : editorialReports;
  const leadingReport =
    candidates.find(({ id }) => titleIds.has(id)) ??
    candidates.toSorted(compareRepresentatives).at(0);
  if (leadingReport === undefined || !isQualified(editorialReports, reports)) return null;
  const signalReports = reports.filter((report) => report.participation === 'signal');
  const earliestFirst = editorialReports.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const ownersOf = (rows: readonly StoryReportRow[]) => new Set(rows.map((row) => row.owner)).size;
  const spark = new Array<number>(SPARK_BUCKETS).fill(0);
  for (const { at } of reports) {
    const bucket = SPARK_BUCKETS - 1 - Math.floor((rankedAt - at) / SPARK_MS);
    const clampedBucket = Math.min(Math.max(bucket, 0), SPARK_BUCKETS - 1);
    spark[clampedBucket] = (spark[clampedBucket] ?? 0) + 1;
  }
  return {
    // After a merge, the leading report's story is the one into which the topic's story was merged.
    storyId: reports.some((report) => report.storyId === storyId) ? storyId : leadingReport.storyId,
    itemId: leadingReport.id,
    title: leadingReport.title,
    sourceName: leadingReport.sourceName,
    originalUrl: leadingReport.originalUrl,
    sourceCount: ownersOf(editorialReports),
    signalCount: signalReports.length,
    participantCount: ownersOf(reports),
    sourceNames: [...new Set(earliestFirst.map((report) => report.sourceName))],
    latestAt: Math.max(...reports.map((report) => report.at)),
    trend,
    spark,
  };
}

/** A topic needs two owners or one first party. */
function isQualified(
  editorial: readonly StoryReportRow[],
  reports: readonly StoryReportRow[],
): boolean {
  const owners = new Set(editorial.map((report) => report.owner));
  const firstPartyIds = findFirstParties(reports);
  return owners.size >= 2 || editorial.some((report) => firstPartyIds.has(report.id));
}

const tierRank = { T1: 0, T1_5: 1, T2: 2 } as const;

/**
 * Selected reports come first, then reports of the better source tier, then earlier reports. The
 * id decides between equal reports.
 */
function compareRepresentatives(a: StoryReportRow, b: StoryReportRow): number {
  return (
    Number(b.selected) - Number(a.selected) ||
    tierRank[a.tier] - tierRank[b.tier] ||
    a.at - b.at ||
    (a.id < b.id ? -1 : 1)
  );
}
