// The frame of the reader's pages: masthead, sections, foot.
import { type Html, html } from '../../kernel/html/html.ts';
import { renderPage } from '../../kernel/html/page.ts';
import { wordsOf } from './messages/reader.ts';
import { PAGE_CACHE, type PageAnswer, type PageContext } from './page-context.ts';
import { staleNotice } from './stale-notice.ts';

export type Section =
  | 'timeline'
  | 'all'
  | 'hot'
  | 'daily'
  | 'weekly'
  | 'monthly'
  | 'search'
  | 'agents'
  | 'about';

const sections = [
  ['timeline', '/'],
  ['hot', '/hot'],
  ['daily', '/daily'],
  ['weekly', '/weekly'],
  ['monthly', '/monthly'],
  ['all', '/all'],
  ['search', '/search'],
] as const satisfies readonly (readonly [Section, string])[];

export type Framed = {
  /** Without the site's name. */
  readonly title: string;
  readonly description: string | null;
  /** Path of the page as search engines should know it; null: none. */
  readonly canonical: string | null;
  readonly section: Section | null;
  readonly main: Html;
  /** Path of its picture for cards elsewhere. */
  readonly picture?: string | null;
  readonly scripts?: readonly string[];
};

export function framed(context: PageContext, page: Framed): string {
  const { site, assets } = context;
  const words = wordsOf(site.language);
  const feeds = [
    ['application/rss+xml', '/feed.xml'],
    ['application/feed+json', '/feed.json'],
  ] as const;
  const picture = page.picture ?? null;
  return renderPage({
    language: site.language,
    title: `${page.title} · ${site.name}`,
    siteName: site.name,
    description: page.description,
    canonical: page.canonical === null ? null : `${site.url}${page.canonical}`,
    picture: picture === null ? null : `${site.url}${picture}`,
    icon: assets.path('icon.svg'),
    stylesheets: [assets.path('page.css')],
    scripts: ['reader.js', ...(page.scripts ?? [])].map(assets.path),
    preloads: [assets.path('serif.woff2')],
    alternates: feeds.map(([type, href]) => ({ type, title: words.selectedTitle, href })),
    body: html`<a class="skip" href="#main">${words.skip}</a>
<header class="masthead">
<a class="name" href="/">${site.name}</a>
<nav aria-label="${words.navigation}"><ul>
${sections.map(
  ([name, href]) =>
    html`<li><a href="${href}"${current(page.section === name)}>${words[name]}</a></li>
`,
)}</ul></nav>
</header>
<main id="main" tabindex="-1">
${staleNotice(context)}${page.main}
</main>
<footer class="foot">
<ul>
<li><a href="/about">${words.about}</a></li>
<li><a href="/agent">${words.agents}</a></li>
<li><a href="/feed.xml">${words.feeds}</a></li>
<li><a href="/openapi-v1.json">OpenAPI</a></li>
</ul>
<p>${words.footNote} ${words.times}</p>
</footer>`,
  });
}

export const current = (isCurrent: boolean): Html =>
  isCurrent ? html` aria-current="page"` : html``;

export function pageAnswer(context: PageContext, page: Framed): PageAnswer {
  const body = framed(context, page);
  return { contentType: 'text/html; charset=utf-8', cacheControl: PAGE_CACHE, body };
}
