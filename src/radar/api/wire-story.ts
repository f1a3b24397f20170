// A story on the wire: feed contract, "Story".
import { toWireTime } from '../../kernel/time/calendar.ts';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import type { StoryBody, StoryReference, StoryReport } from '../publication/documents/bodies.ts';
import type { Site } from './wire-item.ts';
import { pageLinks, storyPath } from './wire-links.ts';

const ACTIVE_MS = 72 * 3_600_000;

/** `now` counts in whole minutes, so that time changes a response at most once a minute. */
function storyStatus({ latestAt }: Pick<StoryBody, 'latestAt'>, now: number) {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return minute - latestAt < ACTIVE_MS ? 'active' : 'settled';
}

export function wireStory(site: Site, story: StoryBody, now: number) {
  return {
    publicId: story.id,
    title: story.title,
    status: storyStatus(story, now),
    sourceCount: story.sourceCount,
    reportCount: story.reportCount,
    firstReportAt: toWireTime(story.firstReportAt),
    latestAt: toWireTime(story.latestAt),
    latest: story.latest,
    digest: story.digest,
    digestUpdatedAt: story.digestUpdatedAt === null ? null : toWireTime(story.digestUpdatedAt),
    digestBy: story.digestBy,
    links: pageLinks(site, storyPath(story.id)),
    reports: story.reports.map((report) => wireStoryReport(site, report)),
    hasMoreReports: story.hasMoreReports,
    sources: story.sources.map(({ firstAt, latestAt, ...source }) => ({
      ...source,
      firstAt: toWireTime(firstAt),
      latestAt: toWireTime(latestAt),
    })),
    storyline: story.storyline.map((link) => wireLink(site, link)),
    related: story.related.map((link) => wireLink(site, link)),
    claims: story.claims,
    contradictions: story.contradictions.map(({ subject, statements }) => ({
      subject,
      statements: statements.map(({ at, ...statement }) => ({ ...statement, at: toWireTime(at) })),
    })),
  };
}

function wireStoryReport(site: Site, report: StoryReport) {
  const { id, title, summary, sourceName, firstParty, at, originalUrl } = report;
  return {
    id,
    title,
    summary,
    source: { name: sourceName, firstParty },
    publishedAt: toWireTime(at),
    links: { ...pageLinks(site, `items/${id}`), original: originalUrl },
  };
}

function wireLink(site: Site, { id, title, relation }: StoryReference) {
  const api = `${site.url}/api/v1/${storyPath(id)}`;
  return { publicId: id, title, relation, links: { ...pageLinks(site, storyPath(id)), api } };
}
