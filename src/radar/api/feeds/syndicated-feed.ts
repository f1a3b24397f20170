// A feed for feed readers in two formats. RSS 2.0 has Atom's `self` link, which the feed validator
// requires. JSON Feed is version 1.1 (jsonfeed.org/version/1.1).

import { escapeXml } from '../../../kernel/text/escape-xml.ts';
import { foldWhitespace } from '../../../kernel/text/text.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';

export type OutputEntry = {
  /** Permanent id, which does not depend on the site's address. */
  readonly id: string;
  readonly title: string;
  /** This radar's page about the entry. */
  readonly page: string;
  /** The link for readers: the original or the page. */
  readonly link: string;
  /** Plain text. */
  readonly summary: string;
  /** HTML with absolute links, generated from escaped text. */
  readonly html: string;
  readonly author: string | null;
  readonly categories: readonly string[];
  readonly language: string;
  readonly publishedAt: number;
  /** Epoch ms; null: never changed. */
  readonly updatedAt: number | null;
};

export type SyndicatedFeed = {
  readonly title: string;
  readonly description: string;
  readonly homePage: string;
  /** Addresses of this feed in both formats. */
  readonly rss: string;
  readonly json: string;
  readonly language: string;
  /** Recommended minutes between two fetches by one program. */
  readonly ttlMinutes: number;
  readonly entries: readonly OutputEntry[];
};

/** RSS 2.0. `lastBuildDate` is the time of the newest change, so equal content has equal bytes. */
export function renderRss(feed: SyndicatedFeed): string {
  const newestChangeAt = Math.max(
    ...feed.entries.map(({ publishedAt, updatedAt }) => updatedAt ?? publishedAt),
  );
  const lastBuildDate =
    feed.entries.length === 0 ? '' : xmlElement('lastBuildDate', formatRfc822(newestChangeAt));
  return `<?xml version="1.0" encoding="utf-8"?>
<?xml-stylesheet type="text/xsl" href="/feed.xsl"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" \
xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
${xmlElement('title', feed.title)}${xmlElement('link', feed.homePage)}\
${xmlElement('description', feed.description)}\
${xmlElement('language', feed.language)}${lastBuildDate}\
${xmlElement('ttl', String(feed.ttlMinutes))}\
<atom:link href="${escapeXml(feed.rss)}" rel="self" type="application/rss+xml"/>
${feed.entries.map(renderRssItem).join('')}</channel>
</rss>
`;
}

function renderRssItem(entry: OutputEntry): string {
  return `<item>
${xmlElement('title', foldWhitespace(entry.title))}${xmlElement('link', entry.link)}\
<guid isPermaLink="false">${escapeXml(entry.id)}</guid>
${xmlElement('pubDate', formatRfc822(entry.publishedAt))}${xmlElement('description', entry.html)}\
${entry.author === null ? '' : xmlElement('dc:creator', entry.author)}\
${entry.categories.map((category) => xmlElement('category', category)).join('')}</item>
`;
}

const xmlElement = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>\n`;

export function renderJsonFeed(feed: SyndicatedFeed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.homePage,
    feed_url: feed.json,
    description: feed.description,
    language: feed.language,
    items: feed.entries.map((entry) => ({
      id: entry.id,
      url: entry.page,
      ...(entry.link !== entry.page && { external_url: entry.link }),
      title: entry.title,
      content_html: entry.html,
      ...(entry.summary !== '' && { summary: entry.summary }),
      date_published: toWireTime(entry.publishedAt),
      ...(entry.updatedAt !== null && { date_modified: toWireTime(entry.updatedAt) }),
      ...(entry.author !== null && { authors: [{ name: entry.author }] }),
      ...(entry.categories.length > 0 && { tags: entry.categories }),
      language: entry.language,
    })),
  });
}

/** RFC 822 with a four-digit year and a numeric zone. The feed validator requires both. */
const formatRfc822 = (at: number) => new Date(at).toUTCString().replace('GMT', '+0000');
