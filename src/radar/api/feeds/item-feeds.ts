// The feeds of items: the selected timeline, everything, and each category, as RSS and JSON Feed.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { PublicItem } from '../../publication/item.ts';
import { pageOf } from '../../publication/read-model/page.ts';
import type { ApiContext, Asked } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type Answer, makeAnswer } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { strictQuery } from '../strict-query.ts';
import { itemPage, type Site } from '../wire-item.ts';
import { wordsOf } from './feed-messages.ts';
import {
  escapeXml,
  type FeedEntry,
  renderJsonFeed,
  renderRss,
  type SyndicatedFeed,
} from './syndicated-feed.ts';

export type FeedFormat = 'xml' | 'json';

const ENTRIES = { selected: 50, all: 100 } as const;

export function answerItemFeed(
  which: 'selected' | 'all' | 'category',
  format: FeedFormat,
  context: ApiContext,
  asked: Asked,
): Answer {
  strictQuery(asked.rawQuery, noParameters);
  const category = which === 'category' ? categoryOf(context, asked, format) : null;
  const mode = which === 'all' ? 'all' : 'selected';
  const query = { mode, category, by: 'timeline', window: '7d', q: null, anchor: null } as const;
  const { publication, world, site, labels } = context;
  const limit = ENTRIES[mode];
  const page = pageOf(publication.edition(), { ...query, limit }, world.clock.now());
  const items = page.kind === 'page' ? page.items : [];
  const words = wordsOf(site);
  const name = category === null ? words[mode] : (labels[category] ?? category);
  const about = `${which}About` as const;
  const path = which === 'selected' ? '/feed' : `/feed/${which}`;
  return feedAnswer(format, {
    title: `${site.name}: ${name}`,
    description: words[about],
    homePage: `${site.url}${which === 'all' ? '/all' : '/'}`,
    ...feedAddresses(site, category === null ? path : `${path}/${category}`),
    language: site.language,
    entries: items.map((item) => entryOf(context, item)),
  });
}

function categoryOf({ categories }: ApiContext, { params }: Asked, format: FeedFormat): string {
  const file = params.file ?? '';
  const category = file.endsWith(`.${format}`) ? file.slice(0, -format.length - 1) : '';
  if (!categories.includes(category)) {
    const known = categories.map((one) => `/feed/category/${one}.${format}`).join(', ');
    throw new Fault('not_found', `There is no such feed. There are: ${known}.`);
  }
  return category;
}

export const feedAddresses = ({ url }: Site, path: string) => ({
  rss: `${url}${path}.xml`,
  json: `${url}${path}.json`,
});

export function feedAnswer(format: FeedFormat, feed: SyndicatedFeed): Answer {
  const isXml = format === 'xml';
  return makeAnswer({
    contentType: `application/${isXml ? 'rss+xml' : 'feed+json'}; charset=utf-8`,
    cacheControl: cacheControl.live,
    body: isXml ? renderRss(feed) : renderJsonFeed(feed),
  });
}

function entryOf({ site, labels }: ApiContext, item: PublicItem): FeedEntry {
  const page = itemPage(site, item.id);
  const words = wordsOf(site);
  const summary = item.summary ?? '';
  const paragraphs = [
    ...(summary === '' ? [] : [escapeXml(summary)]),
    `${escapeXml(item.sourceName)} · ${link(item.originalUrl, words.original)} · ` +
      link(page, words.onThisRadar),
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

export const link = (href: string, text: string) => `<a href="${escapeXml(href)}">${text}</a>`;
