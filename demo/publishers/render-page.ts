// Renders pages of the publishers: articles in four layouts with navigation, notices and sidebars,
// list pages, and an archive.
import { escapeXml } from '../../src/kernel/text/escape-xml.ts';
import { pathOf } from './addresses.ts';
import { type FeedContent, formatBeijing } from './render-feed.ts';
import type { VisibleEntry } from './visible-entries.ts';

const pageTexts = {
  en: {
    menu: ['Home', 'Latest', 'Archive', 'About', 'Sign in'],
    cookie: 'We use cookies to count readers. You can change this at any time.',
    letter: 'Get our letter every Thursday. No advertising.',
    related: 'More from us',
    share: 'Share this page',
    foot: 'All rights reserved. Terms, privacy, imprint.',
    comments: 'Sign in to reply.',
  },
  zh: {
    menu: ['首页', '最新', '归档', '关于我们', '登录'],
    cookie: '本站使用必要的统计功能，您可以随时关闭。',
    letter: '订阅我们的每周简报，不含广告。',
    related: '相关阅读',
    share: '分享到',
    foot: '版权所有，转载请注明出处。联系我们 | 隐私政策',
    comments: '登录后可评论。',
  },
} as const;

function textsOf(content: FeedContent) {
  return pageTexts[content.publisher.lang === 'en' ? 'en' : 'zh'];
}

export function renderArticle(content: FeedContent, visibleEntry: VisibleEntry): string {
  const body = articleBody(content, visibleEntry);
  const address = `${content.origin}${pathOf(content.profile, visibleEntry)}`;
  const meta = [
    `<link rel="canonical" href="${address}">`,
    `<meta property="og:title" content="${escapeXml(visibleEntry.title)}">`,
    '<meta property="og:type" content="article">',
    `<meta property="article:published_time" content="${formatIso(visibleEntry.entry.at)}">`,
    `<meta name="description" content="${escapeXml(visibleEntry.paragraphs[0] ?? '')}">`,
  ];
  return renderPage(content, visibleEntry.title, meta, body);
}

function articleBody(content: FeedContent, visibleEntry: VisibleEntry): string {
  const text = visibleEntry.paragraphs.map((paragraph) => `<p>${escapeXml(paragraph)}</p>`);
  const title = escapeXml(visibleEntry.title);
  const author = escapeXml(visibleEntry.entry.author ?? content.publisher.name);
  const { at } = visibleEntry.entry;
  const time = `<time datetime="${formatIso(at)}">${formatReadable(content, at)}</time>`;
  const share = `<ul class="share"><li>${textsOf(content).share}</li><li>✉</li><li>⎘</li></ul>`;
  const links = otherLinks(content, visibleEntry);
  switch (content.profile.layout) {
    case 'gazette':
      return [
        `<main><article class="story"><header><h1>${title}</h1>`,
        `<p class="byline">${author} · ${time}</p></header>`,
        `${share}<div class="story-body">${withNotice(content, text).join('\n')}</div></article>`,
        `${links}</main>`,
      ].join('\n');
    case 'journal':
      return [
        `<main class="post"><h1 class="post-title">${title}</h1>`,
        `<div class="post-meta"><span class="author">${author}</span> ${time}</div>`,
        `<section class="post-content">${text.join('\n')}</section>`,
        `<div class="letter">${textsOf(content).letter}</div>${links}</main>`,
      ].join('\n');
    case 'board':
      return [
        `<div id="thread"><div class="op"><h2 class="subject">${title}</h2>`,
        `<div class="who">${author}, ${time}</div>`,
        `<div class="message">${text.join('\n')}</div></div>`,
        `<div class="replybox">${textsOf(content).comments}</div></div>${links}`,
      ].join('\n');
    case 'portal':
      return [
        `<table class="frame"><tr><td class="left">${links}</td>`,
        `<td class="centre"><h1>${title}</h1><div class="info">${time} ${author}</div>`,
        `<div id="content" class="content">${text.join('\n')}</div>${share}</td></tr></table>`,
      ].join('\n');
  }
}

/** Inserts a subscription prompt in the middle of the text, as newspaper sites do. */
function withNotice(content: FeedContent, text: readonly string[]): readonly string[] {
  const notice = `<aside class="promo">${textsOf(content).letter}</aside>`;
  return text.length < 4 ? text : [...text.slice(0, 2), notice, ...text.slice(2)];
}

function otherLinks(content: FeedContent, visibleEntry: VisibleEntry): string {
  const otherEntries = content.latest
    .filter((entry) => entry.number !== visibleEntry.number)
    .slice(0, 4);
  const links = otherEntries.map((entry) => {
    return `<li><a href="${pathOf(content.profile, entry)}">${escapeXml(entry.title)}</a></li>`;
  });
  const title = `<h3>${textsOf(content).related}</h3>`;
  return `<aside class="related">${title}<ul>${links.join('')}</ul></aside>`;
}

/** The page that web-list sources fetch: `li.entry` with a link, a date and a teaser. */
export function renderList(content: FeedContent): string {
  const rows = content.latest.map((visibleEntry) => {
    const date = formatReadable(content, visibleEntry.entry.at);
    const stamp =
      content.publisher.lang === 'en' ? ` datetime="${formatIso(visibleEntry.entry.at)}"` : '';
    return [
      '<li class="entry">',
      `<h2><a class="entry-link" href="${pathOf(content.profile, visibleEntry)}">`,
      `${escapeXml(visibleEntry.title)}</a></h2>`,
      `<time class="entry-date"${stamp}>${date}</time>`,
      `<p class="teaser">${escapeXml(visibleEntry.paragraphs[0] ?? '')}</p></li>`,
    ].join('');
  });
  return renderPage(
    content,
    content.publisher.name,
    [],
    `<main><ul class="entries">${rows.join('\n')}</ul></main>`,
  );
}

const archivePageSize = 100;

/** All visible entries, a hundred per page, latest first; `page` counts from 1. */
export function renderArchive(
  content: FeedContent,
  visibleEntries: readonly VisibleEntry[],
  page: number,
): string {
  const pageEntries = visibleEntries.slice((page - 1) * archivePageSize, page * archivePageSize);
  const rows = pageEntries.map((visibleEntry) => {
    const path = pathOf(content.profile, visibleEntry);
    const link = `<a href="${path}">${escapeXml(visibleEntry.title)}</a>`;
    return `<li>${link} <time datetime="${formatIso(visibleEntry.entry.at)}"></time></li>`;
  });
  const hasMore = visibleEntries.length > page * archivePageSize;
  const next = hasMore ? `<a rel="next" href="/archive?page=${page + 1}">→</a>` : '';
  return renderPage(
    content,
    content.publisher.name,
    [],
    `<main><ol>${rows.join('\n')}</ol>${next}</main>`,
  );
}

function renderPage(
  content: FeedContent,
  title: string,
  meta: readonly string[],
  body: string,
): string {
  const text = textsOf(content);
  const menu = text.menu.map((item) => `<li><a href="/">${item}</a></li>`).join('');
  const feedTypes = {
    rss: 'rss+xml',
    rdf: 'rdf+xml',
    atom: 'atom+xml',
    'json-feed': 'feed+json',
  } as const;
  const { format, path } = content.profile;
  const feedLinks =
    format === 'web-list' || format === 'json-list'
      ? []
      : [`<link rel="alternate" type="application/${feedTypes[format]}" href="${path}">`];
  return [
    '<!doctype html>',
    `<html lang="${content.publisher.lang}"><head><meta charset="utf-8">`,
    `<title>${escapeXml(title)} - ${escapeXml(content.publisher.name)}</title>`,
    '<meta name="viewport" content="width=device-width">',
    ...meta,
    ...feedLinks,
    '<style>body{max-width:60rem;margin:auto;font-family:serif}</style></head><body>',
    `<header class="site"><a href="/">${escapeXml(content.publisher.name)}</a>`,
    `<nav><ul>${menu}</ul></nav></header>`,
    `<div class="cookie">${text.cookie}</div>`,
    body,
    `<footer>${text.foot}</footer></body></html>`,
    '',
  ].join('\n');
}

/** Chinese pages show Beijing time without a zone, as most real ones do. */
function formatReadable(content: FeedContent, at: number): string {
  if (content.publisher.lang === 'zh-CN') return formatBeijing(at).slice(0, 16).replace('T', ' ');
  return new Date(at).toUTCString().slice(5, 22);
}

function formatIso(at: number): string {
  return new Date(at).toISOString();
}
