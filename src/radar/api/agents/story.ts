// /api/v1/agent/stories/{publicId}: one story in Markdown. A merged story redirects to the
// surviving story.

import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import type { StoryBody, StoryReference } from '../../publication/documents/bodies.ts';
import { findStory } from '../../publication/documents/find-document.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { DATA_NOTE, fenceLines, formatAutolink, markdownResponse } from '../feeds/markdown.ts';
import { cacheControl } from '../responses/cache-control.ts';
import type { CachedResponse, PermanentRedirect } from '../responses/cached-response.ts';
import { publicIdOf } from '../routes/stories.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl, type Site } from '../wire-item.ts';
import { listLines } from './items.ts';

export const agentStoryQuery = z.strictObject({ limit: wholeNumber(1, 50, 20) });

export async function handleAgentStory(
  context: ApiContext,
  request: PublicRequest,
): Promise<CachedResponse | PermanentRedirect> {
  const { limit } = readStrictQuery(request.rawQuery, agentStoryQuery);
  const story = await findStory(context.world, context.publication, publicIdOf(request));
  switch (story.kind) {
    case 'story':
      return markdownResponse(cacheControl.live, storyParts(context, story.body, limit));
    case 'moved':
      return { location: `/api/v1/agent/stories/${story.into}` };
    case 'none':
      throw new Fault('not_found', 'There is no public story of that id.');
  }
}

function storyParts({ site }: ApiContext, story: StoryBody, limit: number): readonly string[] {
  return [
    `# ${site.name}: a story`,
    DATA_NOTE,
    fenceLines([
      ['title', story.title],
      ['latest', story.latest],
      ['sources', story.sources.map(({ name }) => name).join(', ')],
    ]),
    listLines([
      `Reports: ${story.reportCount}, by ${story.sourceCount} independent sources`,
      `First report: ${toWireTime(story.firstReportAt)}`,
      `Newest report: ${toWireTime(story.latestAt)}`,
      `Page: ${formatAutolink(`${site.url}/stories/${story.id}`)}`,
    ]),
    ...digestParts(story),
    ...contradictionParts(story),
    `## Reports, newest first${story.reports.length > limit ? ` (the newest ${limit})` : ''}`,
    ...story.reports.slice(0, limit).map((report) => {
      const { title, summary, sourceName, firstParty } = report;
      const data = fenceLines([
        ['title', title],
        ['source', `${sourceName}${firstParty ? ' (first party)' : ''}`],
        ['summary', summary],
      ]);
      const facts = [
        `Report id: ${report.id}`,
        `Time: ${toWireTime(report.at)}`,
        `Original: ${formatAutolink(report.originalUrl)}`,
        `Page: ${formatAutolink(itemPageUrl(site, report.id))}`,
      ];
      return `${data}\n\n${listLines(facts)}`;
    }),
    ...linkParts(site, 'Same storyline', story.storyline),
    ...linkParts(site, 'Related', story.related),
  ];
}

/** Each sentence with the reports that support it. */
function digestParts({ claims, digest }: StoryBody): readonly string[] {
  if (digest === null) return [];
  const lines = claims.map(({ text, reportIds }) => [reportIds.join(' '), text] as const);
  return [
    '## Digest, by report',
    lines.length === 0 ? fenceLines([['digest', digest]]) : fenceLines(lines),
  ];
}

function contradictionParts({ contradictions }: StoryBody): readonly string[] {
  if (contradictions.length === 0) return [];
  return [
    '## Where reports disagree',
    ...contradictions.map(({ subject, statements }) =>
      fenceLines([
        ['subject', subject],
        ...statements.map(
          ({ source, value, reportId, at }) =>
            [`${toWireTime(at)} ${reportId}`, `${source} says ${value}`] as const,
        ),
      ]),
    ),
  ];
}

function linkParts(site: Site, label: string, links: readonly StoryReference[]): readonly string[] {
  if (links.length === 0) return [];
  return [
    `## ${label}`,
    ...links.map(({ id, title }) => {
      const address = formatAutolink(`${site.url}/api/v1/agent/stories/${id}`);
      return `${fenceLines([['title', title]])}\n\n${listLines([`Story: ${address}`])}`;
    }),
  ];
}
