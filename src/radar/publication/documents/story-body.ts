// Builds the public body of a story from its reports and its digest. Pure. Every report that a
// claim, a contradiction or a revision cites is listed.
import { DAY_MS, HOUR_MS } from '../../../kernel/time/durations.ts';
import type { LastAssignment } from '../../../store/radar/stories/story-reports.ts';
import type { StoryBody, StoryReason, StoryReference, StoryReport, StorySource } from './bodies.ts';
import type { PublicStoryReport, ValidDigest } from './digest-stories.ts';

/** Feed contract, "Story": the newest 50 reports and the cited ones are listed. */
const LISTED_MAX = 50;

export type StoryParts = {
  readonly id: string;
  /** An operator's title; null: the digest's. */
  readonly title: string | null;
  /** Newest first, at least one. */
  readonly reports: readonly PublicStoryReport[];
  readonly digest: ValidDigest;
  readonly links: readonly StoryReference[];
  /** The last assignment of each item in the assignment log. */
  readonly reasons: ReadonlyMap<string, LastAssignment>;
};

export function buildStoryBody(parts: StoryParts): StoryBody {
  const { id, reports, digest: storedDigest, links, reasons } = parts;
  const { digest } = storedDigest;
  const ids = new Set(reports.map((report) => report.id));
  const claims = digest.sentences
    .map(({ text, reportIds }) => ({
      text,
      reportIds: reportIds.filter((reportId) => ids.has(reportId)),
    }))
    .filter(({ reportIds }) => reportIds.length > 0);
  const contradictions = digest.contradictions.filter(({ statements }) =>
    statements.every((statement) => ids.has(statement.reportId)),
  );
  const revisions = digest.revisions.filter(({ reportIds }) =>
    reportIds.every((reportId) => ids.has(reportId)),
  );
  const citedIds = new Set([
    ...claims.flatMap((claim) => claim.reportIds),
    ...contradictions.flatMap(({ statements }) =>
      statements.map((statement) => statement.reportId),
    ),
    ...revisions.flatMap(({ reportIds }) => reportIds),
  ]);
  const listedReports = reports.filter(
    (report, index) => index < LISTED_MAX || citedIds.has(report.id),
  );
  const listedIds = new Set(listedReports.map(({ id }) => id));
  const times = reports.map((report) => report.at);
  const hasText = digest.text !== '';
  return {
    kind: 'story',
    id,
    title: parts.title ?? digest.title,
    sourceCount: countSources(reports),
    reportCount: reports.length,
    firstReportAt: Math.min(...times),
    latestAt: Math.max(...times),
    latest: digest.latest,
    language: digest.language,
    digest: hasText ? digest.text : null,
    digestUpdatedAt: hasText ? storedDigest.updatedAt : null,
    digestBy: hasText ? storedDigest.by : null,
    reports: listedReports.map(reportOf),
    ...groupReports(listedReports),
    hasMoreReports: listedReports.length < reports.length,
    sources: countReportsBySource(reports),
    storyline: links.filter((link) => link.relation === 'storyline'),
    related: links.filter((link) => link.relation === 'related'),
    claims,
    contradictions,
    revisions,
    copies: digest.copies.filter(
      ({ reportId, originalId }) => listedIds.has(reportId) && listedIds.has(originalId),
    ),
    coverage: countCoverage(times),
    why: listedReports.flatMap((report) => reasonOf(reasons.get(report.id)) ?? []),
  };
}

/** Groups reports by development. The result is empty when no report has a development. */
function groupReports(
  listedReports: readonly PublicStoryReport[],
): Pick<StoryBody, 'developments'> {
  if (listedReports.every(({ development }) => development === null)) return {};
  const groups = Map.groupBy(listedReports, ({ id, development }) => development ?? id);
  return {
    developments: Array.from(groups, ([id, reports]) => ({
      id,
      title: reports.at(-1)?.title ?? '',
      reportIds: reports.map((report) => report.id),
      sourceCount: new Set(reports.map(({ owner }) => owner)).size,
      firstReportAt: Math.min(...reports.map(({ at }) => at)),
      latestAt: Math.max(...reports.map(({ at }) => at)),
    })),
  };
}

/** The number of distinct owners. Signal sources count only when a story has no other source. */
function countSources(reports: readonly PublicStoryReport[]): number {
  const nonSignalReports = reports.filter((report) => report.participation !== 'signal');
  return new Set(
    (nonSignalReports.length > 0 ? nonSignalReports : reports).map((report) => report.owner),
  ).size;
}

function reportOf(report: PublicStoryReport): StoryReport {
  const { id, title, summary, sourceName, owner, firstParty, at } = report;
  const { publishedAt, originalUrl, language } = report;
  return {
    id,
    title,
    summary,
    sourceName,
    owner,
    firstParty,
    at,
    publishedAt,
    originalUrl,
    language,
  };
}

function countReportsBySource(reports: readonly PublicStoryReport[]): readonly StorySource[] {
  const sources = [...Map.groupBy(reports, (report) => report.sourceName)].map(
    ([name, sourceReports]) => ({
      name,
      firstParty: sourceReports.some((report) => report.firstParty),
      reportCount: sourceReports.length,
      firstAt: Math.min(...sourceReports.map((report) => report.at)),
      latestAt: Math.max(...sourceReports.map((report) => report.at)),
    }),
  );
  return sources.sort((a, b) => a.firstAt - b.firstAt || (a.name < b.name ? -1 : 1));
}

/** A story shorter than this has a chart by hours; any other story has a chart by days. */
const BY_HOURS_MS = 72 * HOUR_MS;
const BUCKETS_MAX = 72;

/** Exported for its test. */
export function countCoverage(times: readonly number[]): StoryBody['coverage'] {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const widthMs = last - first < BY_HOURS_MS ? HOUR_MS : DAY_MS;
  const counts = new Map<number, number>();
  for (const at of times) {
    const bucket = Math.floor(at / widthMs);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  const end = Math.floor(last / widthMs);
  const start = Math.max(Math.floor(first / widthMs), end - BUCKETS_MAX + 1);
  return Array.from({ length: end - start + 1 }, (_, index) => ({
    at: (start + index) * widthMs,
    count: counts.get(start + index) ?? 0,
  }));
}

const NAMES_MAX = 4;

function reasonOf(last: LastAssignment | undefined): StoryReason | null {
  if (last === undefined) return null;
  const { itemId, reason, score, features } = last;
  // The features of a founding report belong to the most similar other story.
  const names = Object.entries(reason === 'founded' ? {} : features)
    .filter(([, value]) => value > 0)
    .sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1))
    .slice(0, NAMES_MAX)
    .map(([name]) => name);
  return { itemId, reason, score, names };
}
