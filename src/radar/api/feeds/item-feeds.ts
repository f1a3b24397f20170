// The feeds of all items and of each category, as RSS and JSON Feed. An entry links to the item's
// story and states whether the story's reports disagree.

import { Fault } from '../../../kernel/errors/fault.ts';
import { escapeXml } from '../../../kernel/text/escape-xml.ts';
import { formatDifference } from '../../publication/documents/format-difference.ts';
import { storySummary } from '../../publication/documents/story-summary.ts';
import type { PublicItem } from '../../publication/item.ts';
import { pageOf } from '../../publication/read-model/page.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, makeResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl, type Site } from '../wire-item.ts';
import { feedMessages, feedTitle } from './feed-messages.ts';
import { renderFeedPage } from './feed-page.ts';
import {
  type OutputEntry,
  renderJsonFeed,
  renderRss,
  type SyndicatedFeed,
} from './syndicated-feed.ts';

/** `html`: the page for a reader who opens the address of a feed in a browser. */
export type ItemFeedFormat = 'xml' | 'json' | 'html';

const ENTRIES_MAX = { selected: 50, all: 100 } as const;
export const TTL_MINUTES = 15;

export function handleItemFeed(
  feedKind: 'all' | 'category',
  format: ItemFeedFormat,
  context: ApiContext,
  request: PublicRequest,
): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const category = feedKind === 'category' ? categoryOf(context, request, format) : null;
  const mode = feedKind === 'all' ? 'all' : 'selected';
  const query = { mode, category, by: 'timeline', window: '7d', q: null, anchor: null } as const;
  const { publication, world, site, labels } = context;
  const limit = ENTRIES_MAX[mode];
  const page = pageOf(publication.readModel(), { ...query, limit }, world.clock.now());
  const items = page.kind === 'page' ? page.items : [];
  const messages = feedMessages(site);
  const name = category === null ? messages[mode] : (labels[category] ?? category);
  const descriptionKey = `${feedKind}About` as const;
  const path = `/feed/${feedKind}`;
  return feedResponse(context, format, {
    title: feedTitle(site, name),
    description: messages[descriptionKey],
    homePage: `${site.url}${feedKind === 'all' ? '/all' : '/'}`,
    ...feedAddresses(site, category === null ? path : `${path}/${category}`),
    language: site.language,
    ttlMinutes: TTL_MINUTES,
    entries: items.map((item) => itemEntry(context, item)),
  });
}

function categoryOf(
  { categories }: ApiContext,
  { params }: PublicRequest,
  format: ItemFeedFormat,
): string {
  const file = params.file ?? '';
  const category = file.endsWith(`.${format}`) ? file.slice(0, -format.length - 1) : '';
  if (!categories.includes(category)) {
    const feedPaths = categories
      .map((category) => `/feed/category/${category}.${format}`)
      .join(', ');
    throw new Fault('not_found', `There is no such feed. There are: ${feedPaths}.`);
  }
  return category;
}

export const storyPageUrl = ({ url }: Site, id: string) => `${url}/stories/${id}`;

/** `path` may have a query. */
export const feedAddresses = ({ url }: Site, path: string) => ({
  rss: `${url}${formatPath(path, 'xml')}`,
  json: `${url}${formatPath(path, 'json')}`,
});

function formatPath(path: string, format: ItemFeedFormat): string {
  const [name, query] = path.split('?');
  return `${name}.${format}${query === undefined ? '' : `?${query}`}`;
}

export function feedResponse(
  context: ApiContext,
  format: ItemFeedFormat,
  feed: SyndicatedFeed,
): CachedResponse {
  if (format === 'html') return renderFeedPage(context, feed);
  const isXml = format === 'xml';
  return makeResponse({
    contentType: `application/${isXml ? 'rss+xml' : 'feed+json'}; charset=utf-8`,
    cacheControl: cacheControl.live,
    body: isXml ? renderRss(feed) : renderJsonFeed(feed),
  });
}

export function itemEntry(context: ApiContext, item: PublicItem): OutputEntry {
  const { site, labels, publication } = context;
  const story = item.storyId === null ? null : storySummary(publication.readModel(), item.storyId);
  const storyNote = story === null ? null : formatDifference(story, site.language);
  const page = itemPageUrl(site, item.id);
  const messages = feedMessages(site);
  const summary = item.summary ?? '';
  const paragraphs = [
    ...(summary === '' ? [] : [escapeXml(summary)]),
    ...(storyNote === null || story === null
      ? []
      : [renderLink(storyPageUrl(site, story.id), escapeXml(storyNote))]),
    `${escapeXml(item.sourceName)} · ${renderLink(item.originalUrl, messages.original)} · ` +
      renderLink(page, messages.onThisRadar) +
      (story !== null && story.reportCount > 1
        ? ` · ${renderLink(storyPageUrl(site, story.id), messages.story)}`
        : ''),
  ];
  return {
    id: `urn:radar:item:${item.id}`,
    title: item.title,
    page,
    link: item.originalUrl,
    summary,
    html: paragraphs.map((text) => `<p>${text}</p>`).join(''),
    author: item.sourceName,
    categories: item.category === null ? [] : [labels[item.category] ?? item.category],
    language: item.language,
    publishedAt: item.publishedAt ?? item.discoveredAt,
    updatedAt: null,
  };
}

export const renderLink = (href: string, text: string) =>
  `<a href="${escapeXml(href)}">${text}</a>`;
