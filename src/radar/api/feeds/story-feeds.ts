// The feeds of the ranking, of one story, and of one source, as RSS, JSON Feed and HTML.
import { Fault } from '../../../kernel/errors/fault.ts';
import { guessLanguage } from '../../../kernel/html/text-language.ts';
import { escapeXml } from '../../../kernel/text/escape-xml.ts';
import {
  RANKING_KEY,
  type RankedTopic,
  type StoryReport,
} from '../../publication/documents/bodies.ts';
import { findStory } from '../../publication/documents/find-document.ts';
import { formatDifference } from '../../publication/documents/format-difference.ts';
import { storySummary, summaryOf } from '../../publication/documents/story-summary.ts';
import { findSourceName } from '../../publication/find-source-name.ts';
import { documentOf } from '../../publication/read-model/documents.ts';
import { listSourceItems } from '../../publication/read-model/source-items.ts';
import { topicLead, topicTitle } from '../../publication/topic-title.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import type { CachedResponse, PermanentRedirect } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl } from '../wire-item.ts';
import { feedMessages, feedTitle } from './feed-messages.ts';
import {
  feedAddresses,
  feedResponse,
  type ItemFeedFormat,
  itemEntry,
  renderLink,
  storyPageUrl,
  TTL_MINUTES,
} from './item-feeds.ts';
import type { OutputEntry } from './syndicated-feed.ts';

const SOURCE_ENTRIES_MAX = 50;

export function handleHotFeed(
  format: ItemFeedFormat,
  context: ApiContext,
  { rawQuery }: PublicRequest,
): CachedResponse {
  readStrictQuery(rawQuery, noParameters);
  const { site, publication } = context;
  const messages = feedMessages(site);
  const ranking = documentOf(publication.readModel(), 'ranking', RANKING_KEY)?.body;
  return feedResponse(context, format, {
    title: feedTitle(site, messages.hot),
    description: messages.hotAbout,
    homePage: `${site.url}/hot`,
    ...feedAddresses(site, '/feed/hot'),
    language: site.language,
    ttlMinutes: TTL_MINUTES,
    entries: (ranking?.topics ?? []).map((topic) => topicEntry(context, topic)),
  });
}

function topicEntry({ site, publication }: ApiContext, topic: RankedTopic): OutputEntry {
  const readModel = publication.readModel();
  const story = storySummary(readModel, topic.storyId);
  const title = topicTitle(story ?? topic, story, site);
  const lead = story === null ? null : topicLead(readModel, story, site);
  const page = storyPageUrl(site, topic.storyId);
  const storyNote = story === null ? null : formatDifference(story, site.language);
  const paragraphs = [
    ...(lead === null ? [] : [escapeXml(lead)]),
    ...(storyNote === null ? [] : [renderLink(`${page}#disagree`, escapeXml(storyNote))]),
    escapeXml(topic.sourceNames.join(' · ')),
  ];
  return {
    id: `urn:radar:story:${topic.storyId}`,
    title,
    page,
    link: page,
    summary: lead ?? '',
    html: paragraphs.map((text) => `<p>${text}</p>`).join(''),
    author: null,
    categories: [],
    language: guessLanguage(title),
    publishedAt: topic.latestAt,
    updatedAt: null,
  };
}

/** The feed of a merged story redirects to the feed of its survivor. */
export async function handleStoryFeed(
  context: ApiContext,
  request: PublicRequest,
): Promise<CachedResponse | PermanentRedirect> {
  readStrictQuery(request.rawQuery, noParameters);
  const { world, publication, site } = context;
  const { name: id, format } = parseFileName(request);
  const story = await findStory(world, publication, id);
  if (story.kind === 'moved') return { location: `/feed/story/${story.into}.${format}` };
  if (story.kind === 'none') throw new Fault('not_found', 'There is no public story of that id.');
  const summary = summaryOf(story.body);
  return feedResponse(context, format, {
    title: feedTitle(site, topicTitle(summary, summary, site)),
    description: formatDifference(summary, site.language) ?? feedMessages(site).storyAbout,
    homePage: storyPageUrl(site, id),
    ...feedAddresses(site, `/feed/story/${id}`),
    language: site.language,
    ttlMinutes: TTL_MINUTES,
    entries: story.body.reports.map((report) => reportEntry(context, report)),
  });
}

function reportEntry({ site }: ApiContext, report: StoryReport): OutputEntry {
  const messages = feedMessages(site);
  const page = itemPageUrl(site, report.id);
  const paragraphs = [
    ...(report.summary === null ? [] : [escapeXml(report.summary)]),
    `${escapeXml(report.sourceName)} · ${renderLink(report.originalUrl, messages.original)} · ` +
      renderLink(page, messages.onThisRadar),
  ];
  return {
    id: `urn:radar:item:${report.id}`,
    title: report.title,
    page,
    link: report.originalUrl,
    summary: report.summary ?? '',
    html: paragraphs.map((text) => `<p>${text}</p>`).join(''),
    author: report.sourceName,
    categories: [],
    language: report.language,
    publishedAt: report.at,
    updatedAt: null,
  };
}

export async function handleSourceFeed(
  context: ApiContext,
  request: PublicRequest,
): Promise<CachedResponse> {
  readStrictQuery(request.rawQuery, noParameters);
  const { world, publication, site } = context;
  const { name: id, format } = parseFileName(request);
  const name = await findSourceName(world, publication, id);
  if (name === null) throw new Fault('not_found', 'There is no source of that id.');
  const items = listSourceItems(
    publication.readModel(),
    name,
    SOURCE_ENTRIES_MAX,
    world.clock.now(),
  );
  return feedResponse(context, format, {
    title: feedTitle(site, name),
    description: feedMessages(site).sourceAbout,
    homePage: `${site.url}/sources/${id}`,
    ...feedAddresses(site, `/feed/source/${id}`),
    language: site.language,
    ttlMinutes: TTL_MINUTES,
    entries: items.map((item) => itemEntry(context, item)),
  });
}

/** `name.xml`, `name.json` or `name.html`. */
function parseFileName({ params }: PublicRequest): {
  readonly name: string;
  readonly format: ItemFeedFormat;
} {
  const [, name, format] = /^(.{1,128})\.(xml|json|html)$/su.exec(params.file ?? '') ?? [];
  if (name === undefined) throw new Fault('not_found', 'There is no such feed.');
  return { name, format: format as ItemFeedFormat };
}
