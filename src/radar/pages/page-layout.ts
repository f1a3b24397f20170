// The layout of the readers' pages: masthead, sections, footer, and the keyboard shortcuts.
import { type Html, html, trusted } from '../../kernel/html/html.ts';
import { renderKeySheet } from '../../kernel/html/key-sheet.ts';
import { renderPage } from '../../kernel/html/page.ts';
import { type ReaderMessages, readerMessages } from './messages/reader.ts';
import { PAGE_CACHE, type PageContext, type PageResponse } from './page-context.ts';
import { renderStaleNotice } from './stale-notice.ts';

export type PageSection =
  | 'front'
  | 'latest'
  | 'hot'
  | 'daily'
  | 'weekly'
  | 'monthly'
  | 'search'
  | 'agents'
  | 'about';

const sections = [
  ['front', '/'],
  ['hot', '/hot'],
  ['latest', '/latest'],
  ['daily', '/daily'],
  ['weekly', '/weekly'],
  ['monthly', '/monthly'],
] as const satisfies readonly (readonly [PageSection, string])[];

export type PageContent = {
  /** Title of the page without the name of the site. */
  readonly title: string;
  readonly description: string | null;
  /** Path of the page for search engines; null: the page is not indexed. */
  readonly canonical: string | null;
  readonly section: PageSection | null;
  readonly main: Html;
  /** Path of the page's share image. */
  readonly image?: string | null;
  readonly scripts?: readonly string[];
  /** Path of the page's own feed, without `.xml`. */
  readonly feed?: string;
  /** True when the language in the reader's cookie filters the content. */
  readonly isFiltered?: boolean;
};

export function renderLayout(context: PageContext, page: PageContent): string {
  const { site, assets } = context;
  const messages = readerMessages(site.language);
  const image = page.image ?? null;
  return renderPage({
    language: site.language,
    title: `${page.title} · ${site.name}`,
    siteName: site.name,
    description: page.description,
    canonical: page.canonical === null ? null : `${site.url}${page.canonical}`,
    image: image === null ? null : `${site.url}${image}`,
    icon: assets.path('icon.svg'),
    manifest: '/manifest.webmanifest',
    touchIcon: '/icons/180.png',
    stylesheets: [assets.path('page.css')],
    earlyScripts: [assets.path('theme.js')],
    scripts: ['keys.js', 'reader.js', ...(page.scripts ?? [])].map(assets.path),
    preloads: [assets.path('serif.woff2')],
    alternates: renderFeedLinks(page, messages),
    body: html`<a class="skip" href="#main">${messages.skip}</a>
<header class="masthead reader">
<a class="name" href="/">${site.name}</a>
<a class="search-link" href="/search" aria-label="${messages.search}"\
${ariaCurrent(page.section === 'search')}>${searchIcon}</a>
<nav aria-label="${messages.navigation}"><ul>
${sections.map(
  ([name, href]) =>
    html`<li><a href="${href}"${ariaCurrent(page.section === name)}>${messages[name]}</a></li>
`,
)}</ul></nav>
</header>
<main id="main" tabindex="-1">
${renderStaleNotice(context)}${page.main}
</main>
${renderFooter(page, messages)}
${renderShortcuts(messages)}`,
  });
}

function renderFeedLinks({ feed }: PageContent, messages: ReaderMessages) {
  const pageFeeds = feed === undefined || feed === '/feed' ? [] : [feed];
  return [...pageFeeds, '/feed'].flatMap((path) =>
    (
      [
        ['application/rss+xml', 'xml'],
        ['application/feed+json', 'json'],
      ] as const
    ).map(([type, format]) => ({
      type,
      title: path === '/feed' ? messages.latestTitle : messages.feeds,
      href: feedPath(path, format),
    })),
  );
}

/** The address of a feed in a format; `path` may have a query. */
export function feedPath(path: string, format: 'xml' | 'json'): string {
  const [name, query] = path.split('?');
  return `${name}.${format}${query === undefined ? '' : `?${query}`}`;
}

const searchIcon = trusted(
  '<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">' +
    '<circle cx="8.5" cy="8.5" r="5.5"/><path d="M12.6 12.6 17 17"/></svg>',
);

function renderFooter({ feed }: PageContent, messages: ReaderMessages): Html {
  return html`<footer class="foot">
<ul>
<li><a href="/sources">${messages.sourcesSection}</a></li>
<li><a href="/disagreements">${messages.disagreements}</a></li>
<li><a href="/saved">${messages.saved}</a></li>
<li><a href="/about">${messages.about}</a></li>
<li><a href="/agent">${messages.agents}</a></li>
<li><a href="${feedPath(feed ?? '/feed', 'xml')}">${messages.feeds}</a></li>
<li><a href="/openapi-v1.json">OpenAPI</a></li>
<li><button class="link" type="button" data-open="keys" hidden>${messages.keysTitle}</button></li>
</ul>
${renderChoice('theme', messages.theme, messages.themes)}
${renderChoice('size', messages.textSize, messages.textSizes)}
<p>${messages.footNote}${messages.space}${messages.times}</p>
</footer>`;
}

/** A choice that the browser stores. A script adds its buttons in a reserved line. */
function renderChoice(name: string, label: string, names: Readonly<Record<string, string>>): Html {
  return html`<div class="theme" data-choice="${name}" data-label="${label}" \
data-values="${Object.keys(names).join(' ')}" \
data-names="${Object.values(names).join(',')}"></div>`;
}

const shortcuts = { '/': '/search', h: '/', t: '/hot', l: '/latest', d: '/daily' };

function renderShortcuts({ keys, keysTitle, close, goTo }: ReaderMessages): Html {
  const rows = [
    ['j', keys.next],
    ['k', keys.previous],
    ['o', keys.open],
    ['s', keys.save],
    ['/', keys.search],
    ['g h · g t · g l · g d', keys.goTo],
    ['Ctrl K', keys.palette],
    ['?', keys.sheet],
  ] as const;
  return renderKeySheet({ title: keysTitle, rows, addresses: shortcuts, close, palette: goTo });
}

export const ariaCurrent = (isCurrent: boolean): Html =>
  isCurrent ? html` aria-current="page"` : html``;

export function pageResponse(context: PageContext, page: PageContent): PageResponse {
  const body = renderLayout(context, page);
  return {
    contentType: 'text/html; charset=utf-8',
    cacheControl: PAGE_CACHE,
    body,
    ...(page.isFiltered && { headers: { vary: 'Cookie' } }),
  };
}
