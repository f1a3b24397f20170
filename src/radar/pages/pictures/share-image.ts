// `/pictures/…`: the share images of stories and reports. They show only public content: a
// withdrawn story has no image, and a corrected title is painted again.

import { Fault } from '../../../kernel/errors/fault.ts';
import { formatDate } from '../../../kernel/web/format-time.ts';
import { formatIssueName } from '../../../kernel/web/issue-name.ts';
import { findDocument, findStory } from '../../publication/documents/find-document.ts';
import { formatDifference } from '../../publication/documents/format-difference.ts';
import { openingOf } from '../../publication/documents/sections-after-lead.ts';
import { summaryOf } from '../../publication/documents/story-summary.ts';
import { topicTitle } from '../../publication/topic-title.ts';
import { readerMessages } from '../messages/reader.ts';
import {
  PAGE_CACHE,
  type PageContext,
  type PageRedirect,
  type PageRequest,
  type PageResponse,
} from '../page-context.ts';
import { isReportKey, type ReportPageName } from '../report/report-key.ts';
import { type Card, drawCard } from './draw-card.ts';
import { measureTitle, type Painter } from './paint.ts';

export const storyImagePath = (id: string) => `/pictures/stories/${id}.png`;
export const reportImagePath = (name: ReportPageName, key: string) =>
  `/pictures/${name}/${key}.png`;

const FILE_PATTERN = /^(.{1,128})\.png$/su;

export async function renderStoryImage(
  context: PageContext,
  paint: Painter,
  request: PageRequest,
): Promise<PageResponse | PageRedirect> {
  const { world, publication, site } = context;
  const foundStory = await findStory(world, publication, readName(request));
  if (foundStory.kind === 'moved') return { location: storyImagePath(foundStory.into) };
  if (foundStory.kind === 'none')
    throw new Fault('not_found', 'There is no public story of that id.');
  const { body } = foundStory;
  const messages = readerMessages(site.language);
  const summary = summaryOf(body);
  return imageResponse(paint, {
    siteName: site.name,
    kindLabel: messages.story,
    title: topicTitle(body, summary, { language: site.language }),
    footLine: [
      messages.sourceCount(body.sourceCount),
      messages.reportCount(body.reportCount),
      formatDate(site.language, body.latestAt, world.clock.now()),
    ].join(' · '),
    mark: formatDifference(summary, site.language),
    counts: body.coverage.map(({ count }) => count),
  });
}

export async function renderReportImage(
  name: ReportPageName,
  context: PageContext,
  paint: Painter,
  request: PageRequest,
): Promise<PageResponse> {
  const { world, publication, site } = context;
  const key = readName(request);
  const foundReport = isReportKey(name, key)
    ? await findDocument(world, publication, name, key)
    : null;
  if (foundReport === null) throw new Fault('not_found', `There is no report of ${key}.`);
  const messages = readerMessages(site.language);
  const lead = openingOf(foundReport.body);
  return imageResponse(paint, {
    siteName: site.name,
    kindLabel: messages[name],
    title: lead.title ?? `${messages[name]} · ${formatIssueName(name, key, site.language)}`,
    footLine: formatIssueName(name, key, site.language),
    mark: null,
    counts: [],
  });
}

function readName({ params }: PageRequest): string {
  const name = FILE_PATTERN.exec(params.file ?? '')?.[1];
  if (name === undefined) throw new Fault('not_found', 'There is no such image.');
  return name;
}

async function imageResponse(paint: Painter, card: Card): Promise<PageResponse> {
  const body = await paint(drawCard(card, measureTitle));
  return { contentType: 'image/png', cacheControl: PAGE_CACHE, body };
}
