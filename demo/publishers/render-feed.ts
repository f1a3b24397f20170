// Renders feed documents in each format. Some have the mistakes of careless publishers.
import { escapeXml } from '../../src/kernel/text/escape-xml.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import type { Publisher } from '../world/publishers.ts';
import { pathOf } from './addresses.ts';
import type { Profile } from './profiles.ts';
import type { VisibleEntry } from './visible-entries.ts';

/** The data of one rendered feed or page of a publisher. */
export type FeedContent = {
  readonly profile: Profile;
  readonly publisher: Publisher;
  /** Origin of the server, without a slash at the end. */
  readonly origin: string;
  readonly latest: readonly VisibleEntry[];
};

function htmlOf(visibleEntry: VisibleEntry): string {
  return visibleEntry.paragraphs.map((paragraph) => `<p>${escapeXml(paragraph)}</p>`).join('\n');
}

/** The publisher's id of an entry: a tag URI, which changes only after a republication. */
function idOf(content: FeedContent, visibleEntry: VisibleEntry): string {
  return `tag:${content.profile.id}.example,2026:${visibleEntry.number}`;
}

function linkOf(content: FeedContent, visibleEntry: VisibleEntry): string {
  if (content.profile.fault === 'redirects') return `${content.origin}/go/${visibleEntry.number}`;
  return `${content.origin}${pathOf(content.profile, visibleEntry)}`;
}

function bodyOf(content: FeedContent, visibleEntry: VisibleEntry): string {
  return content.profile.hasFullText
    ? htmlOf(visibleEntry)
    : escapeXml(visibleEntry.paragraphs[0] ?? '');
}

const BEIJING_OFFSET_MS = 8 * HOUR_MS;

/** `Sat, 21 Nov 2026 06:00:00 GMT`, or with a numeric zone for the Chinese publishers. */
function formatRfc822(at: number, lang: string): string {
  if (lang === 'en') return new Date(at).toUTCString();
  return new Date(at + BEIJING_OFFSET_MS).toUTCString().replace('GMT', '+0800');
}

export function renderRss(content: FeedContent): string {
  const { publisher, origin, latest } = content;
  const items = latest.map((visibleEntry) => {
    const author =
      visibleEntry.entry.author === null ? '' : renderTag('dc:creator', visibleEntry.entry.author);
    return [
      '    <item>',
      `      ${renderTag('title', visibleEntry.title)}`,
      `      ${renderTag('link', linkOf(content, visibleEntry))}`,
      `      <guid isPermaLink="false">${idOf(content, visibleEntry)}</guid>`,
      `      <pubDate>${formatRfc822(visibleEntry.entry.at, publisher.lang)}</pubDate>`,
      ...(author === '' ? [] : [`      ${author}`]),
      content.profile.hasFullText
        ? `      <content:encoded><![CDATA[${htmlOf(visibleEntry)}]]></content:encoded>`
        : `      <description>${escapeXml(bodyOf(content, visibleEntry))}</description>`,
      '    </item>',
    ].join('\n');
  });
  const declaredEncoding = content.profile.fault === 'wrong-encoding' ? 'gb2312' : 'UTF-8';
  return [
    `<?xml version="1.0" encoding="${declaredEncoding}"?>`,
    '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"' +
      ' xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '  <channel>',
    `    ${renderTag('title', publisher.name)}`,
    `    ${renderTag('link', `${origin}/`)}`,
    `    ${renderTag('description', `${publisher.name}: latest`)}`,
    `    ${renderTag('language', publisher.lang.toLowerCase())}`,
    ...items,
    '  </channel>',
    '</rss>',
    '',
  ].join('\n');
}

/** Renders RSS as a publisher does who concatenates strings without escaping. */
export function renderBrokenRss(content: FeedContent): string {
  const { publisher, origin, latest } = content;
  const items = latest.map((visibleEntry) => {
    const link = `${linkOf(content, visibleEntry)}&from=rss&v=2`;
    const body = visibleEntry.paragraphs.join('<br>\n');
    return [
      '<item>',
      `<title>${visibleEntry.title}${visibleEntry.title.length % 3 === 0 ? ' &nbsp;' : ''}</title>`,
      `<link>${link}</link>`,
      `<guid isPermaLink=false>${idOf(content, visibleEntry)}</guid>`,
      '<category>模型 & 应用</category>',
      `<pubDate>${formatRfc822(visibleEntry.entry.at, publisher.lang)}</pubDate>`,
      `<description>${body}&hellip;\u0008</description>`,
      '</item>',
    ].join('\n');
  });
  return [
    '\n<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0"><channel>',
    `<title>${publisher.name}</title><link>${origin}/?a=1&b=2</link>`,
    '<description>AI & 模型</description>',
    ...items,
    '',
  ].join('\n');
}

export function renderRdf(content: FeedContent): string {
  const { publisher, origin, latest } = content;
  const resources = latest.map(
    (visibleEntry) => `<rdf:li rdf:resource="${linkOf(content, visibleEntry)}"/>`,
  );
  const items = latest.map((visibleEntry) =>
    [
      `<item rdf:about="${linkOf(content, visibleEntry)}">`,
      `  ${renderTag('title', visibleEntry.title)}`,
      `  ${renderTag('link', linkOf(content, visibleEntry))}`,
      `  ${renderTag('description', visibleEntry.paragraphs.join('\n\n'))}`,
      `  <dc:date>${new Date(visibleEntry.entry.at).toISOString().slice(0, 19)}+00:00</dc:date>`,
      `  ${renderTag('dc:identifier', idOf(content, visibleEntry))}`,
      '</item>',
    ].join('\n'),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
    '  xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<channel rdf:about="${origin}/">`,
    `  ${renderTag('title', publisher.name)}`,
    `  ${renderTag('link', `${origin}/`)}`,
    `  ${renderTag('description', 'New preprints, every day')}`,
    `  <items><rdf:Seq>${resources.join('')}</rdf:Seq></items>`,
    '</channel>',
    ...items,
    '</rdf:RDF>',
    '',
  ].join('\n');
}

export function renderAtom(content: FeedContent): string {
  const { publisher, origin, latest, profile } = content;
  const updated = Math.max(0, ...latest.map((visibleEntry) => visibleEntry.changedAt));
  const entries = latest.map((visibleEntry) =>
    [
      '  <entry>',
      `    <id>${idOf(content, visibleEntry)}</id>`,
      `    ${renderTag('title', visibleEntry.title)}`,
      `    <link rel="alternate" type="text/html" href="${linkOf(content, visibleEntry)}"/>`,
      `    <published>${new Date(visibleEntry.entry.at).toISOString()}</published>`,
      `    <updated>${new Date(visibleEntry.changedAt).toISOString()}</updated>`,
      `    <author>${renderTag('name', visibleEntry.entry.author ?? publisher.name)}</author>`,
      `    <content type="html">${escapeXml(bodyOf(content, visibleEntry))}</content>`,
      '  </entry>',
    ].join('\n'),
  );
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${publisher.lang}">`,
    `  ${renderTag('title', publisher.name)}`,
    `  <id>${origin}/</id>`,
    `  <link rel="self" href="${origin}${profile.path}"/>`,
    `  <updated>${new Date(updated).toISOString()}</updated>`,
    ...entries,
    '</feed>',
    '',
  ].join('\n');
}

export function renderJsonFeed(content: FeedContent): string {
  const { publisher, origin, latest, profile } = content;
  const items = latest.map((visibleEntry) => ({
    id: idOf(content, visibleEntry),
    url: linkOf(content, visibleEntry),
    title: visibleEntry.title,
    content_html: htmlOf(visibleEntry),
    date_published: new Date(visibleEntry.entry.at).toISOString(),
    authors: visibleEntry.entry.author === null ? [] : [{ name: visibleEntry.entry.author }],
  }));
  const head = {
    version: 'https://jsonfeed.org/version/1.1',
    title: publisher.name,
    home_page_url: `${origin}/`,
    feed_url: `${origin}${profile.path}`,
    language: publisher.lang,
  };
  return `${JSON.stringify({ ...head, items }, null, 1)}\n`;
}

/**
 * Two proprietary JSON formats: one nested with epoch milliseconds, one flat with Beijing times.
 */
export function renderJsonList(content: FeedContent): string {
  const { latest } = content;
  if (content.profile.id === 'chengyan') {
    const list = latest.map((visibleEntry) => ({
      newsId: visibleEntry.number,
      headline: visibleEntry.title,
      abstract: visibleEntry.paragraphs[0],
      bodyHtml: htmlOf(visibleEntry),
      publishTime: visibleEntry.entry.at,
      editor: { name: visibleEntry.entry.author },
    }));
    return JSON.stringify({ code: 0, message: 'ok', data: { total: list.length, list } });
  }
  return JSON.stringify(
    latest.map((visibleEntry) => ({
      id: Number(visibleEntry.number),
      title: visibleEntry.title,
      url: pathOf(content.profile, visibleEntry),
      digest: visibleEntry.paragraphs[0],
      author: visibleEntry.entry.author,
      ctime: formatBeijing(visibleEntry.entry.at),
    })),
  );
}

/** `2026-11-21T14:00:00+08:00` */
export function formatBeijing(at: number): string {
  return `${new Date(at + BEIJING_OFFSET_MS).toISOString().slice(0, 19)}+08:00`;
}

function renderTag(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
