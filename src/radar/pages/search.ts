// `/search`: one field and filters in a plain form. Hits of one story form one row. Items match by
// the same rules as in the API.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { langOf } from '../../kernel/html/text-language.ts';
import { storySummary } from '../publication/documents/story-summary.ts';
import type { PublicItem } from '../publication/item.ts';
import { pageOf } from '../publication/read-model/page.ts';
import { hasLanguage } from '../publication/read-model/story-rows.ts';
import { parseQuery, type TextQuery } from '../publication/search/query.ts';
import { highlight } from './highlight.ts';
import { type ItemLanguage, languageNames, readFilters } from './list-filters.ts';
import { messagesOf, type ReaderMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { feedPath, pageResponse } from './page-layout.ts';
import { pathWith, readPageQuery } from './read-query.ts';
import { shortTime } from './show-time.ts';
import { sourcesLine, storyMarks } from './story-parts.ts';

const ROWS = 50;
/** Number of hits that are read before filters and grouping. */
const HITS_MAX = 400;
/** Each hit can be a row of its own, so no search has more pages. */
const pageNumbers = Array.from({ length: HITS_MAX / ROWS }, (_, at) => String(at + 1));

type SearchFilters = {
  readonly text: string;
  readonly language: ItemLanguage;
  readonly category: string | null;
  readonly window: '24h' | '7d';
  readonly source: string | null;
  /** Page number from 1. Each page has the same number of rows. */
  readonly page: number;
};

export async function searchPage(
  context: PageContext,
  request: PageRequest,
): Promise<PageResponse> {
  const messages = messagesOf(context.site.language);
  const query = readPageQuery(request.rawQuery);
  const { language, category, window } = readFilters('/search', context, request);
  const text = query.text('q', 2_000) ?? '';
  const source = query.text('source', 200);
  const page = Number(query.one('page', pageNumbers) ?? 1);
  const filters = { text, language, category, window, source, page };
  const names = (await context.health.read())?.sources.map(({ name }) => name) ?? [];
  return pageResponse(context, {
    title: text === '' ? messages.search : `${text} · ${messages.search}`,
    description: messages.searchAbout,
    canonical: text === '' ? '/search' : null,
    section: 'search',
    isFiltered: true,
    scripts: ['search.js'],
    ...(parseQuery(text).kind === 'query' && { feed: searchFeed(filters) }),
    main: html`<div class="list-head"><h1>${messages.search}</h1></div>
<form class="bar" action="/search" role="search" data-search>
<div class="grows">
<label class="over" for="q">${messages.searchLabel}</label>
<input type="search" id="q" name="q" value="${text}" maxlength="200" autocomplete="off" \
enterkeyhint="search" aria-describedby="q-help"${text === '' && html` data-autofocus`}>
</div>
<button>${messages.search}</button>
${filterFields(context, filters, names)}
</form>
<p class="meta form-help" id="q-help">${messages.searchHelp} ${messages.searchAbout}</p>
<div aria-live="polite" data-results>
${results(context, filters, messages)}
</div>`,
  });
}

/** The feed of the same query, with the filters that feeds support. */
const searchFeed = ({ text, language, category, source }: SearchFilters) =>
  pathWith('/feed', { category, language, mode: 'all', q: text.trim(), source });

function filterFields(
  { site, categories, labels }: PageContext,
  filters: SearchFilters,
  sourceNames: readonly string[],
): Html {
  const messages = messagesOf(site.language);
  const select = (
    name: string,
    label: string,
    chosen: string,
    options: readonly (readonly [string, string])[],
  ) => html`<span class="choice"><label for="f-${name}">${label}</label>
<select id="f-${name}" name="${name}">${options.map(
    ([value, text]) =>
      html`<option value="${value}"${langOf(text, site.language)}\
${value === chosen && html` selected`}>${text}</option>`,
  )}</select></span>
`;
  return html`<fieldset class="choices"><legend class="hidden">${messages.searchFilters}</legend>
${select('language', messages.itemLanguage, filters.language ?? 'all', [
  ['all', messages.anyLanguage],
  ['en', languageNames.en],
  ['zh', languageNames.zh],
])}${select('category', messages.category, filters.category ?? '', [
  ['', messages.anyCategory],
  ...categories.map((id) => [id, labels[id] ?? id] as const),
])}${select('source', messages.source, filters.source ?? '', [
  ['', messages.anySource],
  ...sourceNames.map((name) => [name, name] as const),
])}${select('window', messages.window, filters.window, [
  ['7d', messages.window7d],
  ['24h', messages.window24h],
])}</fieldset>`;
}

function results(context: PageContext, filters: SearchFilters, messages: ReaderMessages): Html {
  if (filters.text.trim() === '') return nothing;
  const parsed = parseQuery(filters.text);
  if (parsed.kind !== 'query') {
    return html`<p class="notice">${messages.searchLength}</p>`;
  }
  const { groups, hasMore } = groupedHits(context, parsed.query, filters);
  if (groups.length === 0 && filters.page === 1) {
    return html`<div class="empty"><h2>${messages.nothingFound}</h2>
<p>${messages.nothingFoundAbout}</p></div>`;
  }
  const count = groups.reduce((sum, hits) => sum + hits.length, 0);
  const json = pathWith('/api/v1/items', { mode: 'all', q: parsed.query.text });
  return html`<h2 class="side meta"><span>${messages.found(count, hasMore)}</span>\
<span><a href="${json}">JSON</a></span>\
<span><a href="${feedPath(searchFeed(filters), 'xml')}">${messages.feeds}</a></span></h2>
<ol>
${groups.map((hits) => hitRow(context, hits, parsed.query, messages))}</ol>
${pageLinks(filters, hasMore, messages)}`;
}

function pageLinks(
  { text, language, category, window, source, page }: SearchFilters,
  hasMore: boolean,
  messages: ReaderMessages,
): Html {
  const hasOlder = hasMore && page < pageNumbers.length;
  if (page === 1 && !hasOlder) return nothing;
  const values = { q: text, language, category, source, window };
  const older = pathWith('/search', { ...values, page: String(page + 1) });
  return html`<nav class="more" aria-label="${messages.older}">
${hasOlder && html`<a class="link" rel="next" href="${older}">${messages.older} →</a>`}
${page > 1 && html`<a href="${pathWith('/search', values)}">${messages.newest}</a>`}
</nav>`;
}

type Hits = {
  readonly groups: readonly (readonly PublicItem[])[];
  readonly hasMore: boolean;
};

/** Hits in order of time. Hits of one story stand together, at the place of the newest one. */
function groupedHits(
  { publication, world }: PageContext,
  q: TextQuery,
  { category, window, language, source, page: number }: SearchFilters,
): Hits {
  const query = {
    mode: 'all',
    category,
    by: 'timeline',
    window,
    q,
    limit: HITS_MAX,
    anchor: null,
  } as const;
  const page = pageOf(publication.readModel(), query, world.clock.now());
  if (page.kind !== 'page') return { groups: [], hasMore: false };
  const items = page.items.filter(
    (item) => hasLanguage(item, language) && (source === null || item.sourceName === source),
  );
  const groups = [...Map.groupBy(items, (item) => item.storyId ?? item.id).values()];
  const end = number * ROWS;
  return { groups: groups.slice(end - ROWS, end), hasMore: page.hasMore || groups.length > end };
}

const LISTED = 6;

function hitRow(
  context: PageContext,
  hits: readonly PublicItem[],
  q: TextQuery,
  messages: ReaderMessages,
): Html {
  const [item, ...others] = hits;
  if (item === undefined) return nothing;
  const { labels, publication } = context;
  const story = item.storyId === null ? null : storySummary(publication.readModel(), item.storyId);
  const shown = story !== null && story.reportCount > 1 ? story : null;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  const marked = (text: string) => highlight(text, q);
  return html`<li class="entry dated" data-row data-id="${item.id}" data-at="${item.timelineAt}">
${shortTime(context, item.timelineAt)}
<div>
<h3 lang="${item.language}"><a href="/items/${item.id}">${marked(item.title)}</a></h3>
<p class="meta"><span>${marked(item.sourceName)}</span>${
    shown && html`<span><a href="/stories/${shown.id}">${sourcesLine(shown, messages)}</a></span>`
  }${category && html`<span>${category}</span>`}</p>
${
  item.summary !== null &&
  html`<p class="says" lang="${item.language}">\
${marked(item.summary)}</p>`
}
${storyMarks(shown, messages)}${
  others.length > 0 &&
  html`<details class="more-reports"><summary>${messages.moreOfStory(others.length)}</summary>
<ul>
${others.slice(0, LISTED).map(
  (other) => html`<li><a href="/items/${other.id}" lang="${other.language}">\
${marked(other.title)}</a> <span class="meta"><span>${other.sourceName}</span>\
<span>${shortTime(context, other.timelineAt)}</span></span></li>
`,
)}</ul></details>`
}</div>
</li>
`;
}
