// `/search`: one field and filters in a plain form. Hits of one story form one row. Items match by
// the same rules as in the API. Items that are too old for the read model come from the archive.
import { messageOf } from '../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { langAttribute } from '../../kernel/html/text-language.ts';
import { isDay, parseShanghai } from '../../kernel/time/calendar.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import { renderShortTime } from '../../kernel/web/format-time.ts';
import { renderDayInput } from '../../kernel/web/forms.ts';
import {
  type ArchiveHits,
  type ArchivePosition,
  findArchivedItems,
} from '../publication/archive/search-archive.ts';
import { findStories } from '../publication/documents/find-document.ts';
import { documentSummary, type StorySummary } from '../publication/documents/story-summary.ts';
import type { PublicItem } from '../publication/item.ts';
import { pageOf } from '../publication/read-model/page.ts';
import { hasLanguage } from '../publication/read-model/story-rows.ts';
import { cutoffOf } from '../publication/read-model/window.ts';
import { parseQuery, type TextQuery } from '../publication/search/query.ts';
import { highlight } from './highlight.ts';
import { type ItemLanguage, languageNames, readFilters } from './list-filters.ts';
import { type ReaderMessages, readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { feedPath, pageResponse } from './page-layout.ts';
import { pathWith, readPageQuery } from './read-query.ts';
import { renderSourcesLine, renderStoryMarks } from './story-parts.ts';
import { renderTranslationMark, writtenLanguage } from './translation-mark.ts';

const ROWS_PER_PAGE = 50;
/** Number of hits that are read before filters and grouping. */
const HITS_MAX = 400;
/** Number of older hits on one page. */
const ARCHIVED_HITS_PER_PAGE = 100;
/** All page numbers. The last page is reached when every hit is a row of its own. */
const pageNumbers = Array.from({ length: HITS_MAX / ROWS_PER_PAGE }, (_, index) =>
  String(index + 1),
);

type SearchFilters = {
  readonly text: string;
  readonly language: ItemLanguage;
  readonly category: string | null;
  /** Null: items of any age. */
  readonly window: '24h' | '7d' | null;
  /** Days in Asia/Shanghai, inclusive, as typed: results need valid days. */
  readonly from: string | null;
  readonly to: string | null;
  readonly source: string | null;
  /** Page number from 1. Each page has the same number of rows. */
  readonly page: number;
  /** Only archived items after this position; null: the page starts in the read model. */
  readonly before: ArchivePosition | null;
};

export async function searchPage(
  context: PageContext,
  request: PageRequest,
): Promise<PageResponse> {
  const messages = readerMessages(context.site.language);
  const query = readPageQuery(request.rawQuery);
  const { language, category } = readFilters('/search', context, request);
  const text = query.text('q', 2_000) ?? '';
  const source = query.text('source', 200);
  const page = Number(query.oneOf('page', pageNumbers) ?? 1);
  const window = query.oneOf('window', ['24h', '7d']);
  const [from, to] = [query.text('from', 200), query.text('to', 200)];
  const before = parsePosition(query.text('before', 200));
  const filters = { text, language, category, window, from, to, source, page, before };
  const names = (await context.health.read())?.sources.map(({ name }) => name) ?? [];
  return pageResponse(context, {
    title: text === '' ? messages.search : `${text} · ${messages.search}`,
    description: messages.searchAbout,
    canonical: text === '' ? '/search' : null,
    section: 'search',
    isFiltered: true,
    scripts: ['search.js'],
    ...(parseQuery(text).kind === 'query' && { feed: searchFeedPath(filters) }),
    main: html`<div class="list-head"><h1>${messages.search}</h1></div>
<form class="bar" action="/search" role="search" data-search>
<div class="grows">
<label class="over" for="q">${messages.searchLabel}</label>
<input type="search" id="q" name="q" value="${text}" maxlength="200" autocomplete="off" \
enterkeyhint="search" aria-describedby="q-help"${text === '' && html` data-autofocus`}>
</div>
<button>${messages.search}</button>
${renderFilterFields(context, filters, names)}
</form>
<p class="meta form-help" id="q-help">${messages.searchHelp}${messages.space}\
${messages.searchAbout}</p>
<div aria-live="polite" data-results>
${await renderResults(context, filters, messages)}
</div>`,
  });
}

/** The feed of the same query, with the filters that feeds support. */
const searchFeedPath = ({ text, language, category, source }: SearchFilters) =>
  pathWith('/feed', { category, language, mode: 'all', q: text.trim(), source });

function renderFilterFields(
  { site, categories, labels }: PageContext,
  filters: SearchFilters,
  sourceNames: readonly string[],
): Html {
  const messages = readerMessages(site.language);
  // A removed source still has items, so a link may name it.
  const listedNames = [...new Set([...sourceNames, ...(filters.source ? [filters.source] : [])])];
  const renderSelect = (
    name: string,
    label: string,
    chosen: string,
    options: readonly (readonly [string, string])[],
  ) => html`<span class="choice"><label for="f-${name}">${label}</label>
<select id="f-${name}" name="${name}">${options.map(
    ([value, text]) =>
      html`<option value="${value}"${langAttribute(text, site.language)}\
${value === chosen && html` selected`}>${text}</option>`,
  )}</select></span>
`;
  return html`<fieldset class="choices"><legend class="hidden">${messages.searchFilters}</legend>
${renderSelect('language', messages.itemLanguage, filters.language ?? 'all', [
  ['all', messages.anyLanguage],
  ['en', languageNames.en],
  ['zh', languageNames.zh],
])}${renderSelect('category', messages.category, filters.category ?? '', [
  ['', messages.anyCategory],
  ...categories.map((id) => [id, labels[id] ?? id] as const),
])}${renderSelect('source', messages.source, filters.source ?? '', [
  ['', messages.anySource],
  ...listedNames.map((name) => [name, name] as const),
])}${renderSelect('window', messages.window, filters.window ?? '', [
  ['', messages.anyTime],
  ['7d', messages.window7d],
  ['24h', messages.window24h],
])}<span class="choice-pair">${renderDayField('from', messages.fromDay, filters.from)}\
${renderDayField('to', messages.toDay, filters.to)}</span></fieldset>`;
}

const renderDayField = (name: string, label: string, value: string | null): Html =>
  html`<span class="choice"><label for="f-${name}">${label}</label>
${renderDayInput(name, value ?? '')}</span>
`;

async function renderResults(
  context: PageContext,
  filters: SearchFilters,
  messages: ReaderMessages,
): Promise<Html> {
  if (filters.text.trim() === '') return nothing;
  const parsed = parseQuery(filters.text);
  if (parsed.kind !== 'query') {
    return html`<p class="notice">${messages.searchLength}</p>`;
  }
  if (![filters.from, filters.to].every((day) => day === null || isDay(day))) {
    return html`<p class="notice">${messages.dayFormat}</p>`;
  }
  if (filters.from !== null && filters.to !== null && filters.from > filters.to) {
    return html`<p class="notice">${messages.daysInWrongOrder}</p>`;
  }
  const recentHits = findRecentHits(context, parsed.query, filters);
  const isComplete = filters.window !== null && recentHits.end === null;
  const archiveResult =
    recentHits.hasMore || isComplete
      ? null
      : await findArchivedHits(context, parsed.query, filters, recentHits.end);
  const olderHits = archiveResult?.kind === 'found' ? archiveResult : null;
  const groups = [...recentHits.groups, ...groupByStory(olderHits?.items ?? [])];
  const olderPage = olderHits?.next ? { before: formatPosition(olderHits.next) } : null;
  const nextPage = recentHits.hasMore ? { page: String(filters.page + 1) } : olderPage;
  const hasMore = nextPage !== null;
  if (groups.length === 0 && filters.page === 1 && archiveResult?.kind !== 'unavailable') {
    return html`<div class="empty"><h2>${messages.nothingFound}</h2>
<p>${messages.nothingFoundAbout}</p>${
      archiveResult?.kind === 'too_short' && html`<p>${messages.archiveTooShort}</p>`
    }</div>`;
  }
  const stories = await readStories(context, groups);
  const count = groups.reduce((sum, hits) => sum + hits.length, 0);
  const jsonPath = pathWith('/api/v1/items', { mode: 'all', q: parsed.query.text });
  return html`<h2 class="side meta"><span>${messages.found(count, hasMore)}</span>\
<span><a href="${jsonPath}">JSON</a></span>\
<span><a href="${feedPath(searchFeedPath(filters), 'xml')}">${messages.feeds}</a></span></h2>
<ol>
${groups.map((hits) => renderHit(context, hits, stories, parsed.query, messages))}</ol>
${
  archiveResult?.kind === 'unavailable' &&
  html`<p class="notice">\
${messages.archiveUnavailable}</p>`
}\
${archiveResult?.kind === 'too_short' && html`<p class="meta">${messages.archiveTooShort}</p>`}\
${renderPageLinks(filters, nextPage, messages)}`;
}

function renderPageLinks(
  { text, language, category, window, from, to, source, page, before }: SearchFilters,
  next: Readonly<Record<string, string>> | null,
  messages: ReaderMessages,
): Html {
  const isFirst = page === 1 && before === null;
  if (isFirst && next === null) return nothing;
  const values = { q: text, language, category, source, window, from, to };
  const olderPath = next && pathWith('/search', { ...values, ...next });
  return html`<nav class="more" aria-label="${messages.older}">
${olderPath && html`<a class="link" rel="next" href="${olderPath}">${messages.older} →</a>`}
${!isFirst && html`<a href="${pathWith('/search', values)}">${messages.newest}</a>`}
</nav>`;
}

type HitGroups = {
  readonly groups: readonly (readonly PublicItem[])[];
  readonly hasMore: boolean;
  /** The archive continues after this hit; null: every hit of the read model is in `groups`. */
  readonly end: ArchivePosition | null;
};

/** Hits in order of time. Hits of one story are grouped at the position of the newest hit. */
function findRecentHits(
  { publication, world }: PageContext,
  q: TextQuery,
  { category, window, language, source, page: pageNumber, before, ...days }: SearchFilters,
): HitGroups {
  if (before !== null) return { groups: [], hasMore: false, end: before };
  const { from, to } = spanOf(days);
  const query = {
    mode: 'all',
    category,
    by: 'timeline',
    window: window ?? '7d',
    q,
    limit: HITS_MAX,
    anchor: null,
  } as const;
  const page = pageOf(publication.readModel(), query, world.clock.now());
  if (page.kind !== 'page') return { groups: [], hasMore: false, end: null };
  const items = page.items.filter(
    (item) =>
      hasLanguage(item, language) &&
      (source === null || item.sourceName === source) &&
      item.timelineAt >= from &&
      item.timelineAt < to,
  );
  const groups = groupByStory(items);
  const rowEnd = pageNumber * ROWS_PER_PAGE;
  return {
    groups: groups.slice(rowEnd - ROWS_PER_PAGE, rowEnd),
    hasMore: groups.length > rowEnd,
    end: page.nextAnchor,
  };
}

const groupByStory = (items: readonly PublicItem[]) => [
  ...Map.groupBy(items, (item) => item.storyId ?? item.id).values(),
];

/** Epoch ms of the chosen days; `to` is exclusive. */
const spanOf = ({ from, to }: Pick<SearchFilters, 'from' | 'to'>) => ({
  from: from === null ? 0 : startOf(from),
  to: to === null ? Number.MAX_SAFE_INTEGER : startOf(to) + DAY_MS,
});

const startOf = (day: string) => parseShanghai(`${day} 00:00`) ?? 0;

/**
 * Finds hits that are older than the read model. A failure of the archive does not hide the recent
 * hits.
 */
async function findArchivedHits(
  { publication, world }: PageContext,
  q: TextQuery,
  { category, language, source, window, ...days }: SearchFilters,
  recentEnd: ArchivePosition | null,
): Promise<ArchiveHits | { readonly kind: 'unavailable' }> {
  const now = world.clock.now();
  const { from: firstDayAt, to } = spanOf(days);
  const from = window === null ? firstDayAt : Math.max(firstDayAt, cutoffOf(window, now));
  const end = recentEnd ?? { at: cutoffOf('7d', now), id: '' };
  const before = end.at < to ? end : { at: to, id: '' };
  const query = { q, from, before, category, sourceName: source, language };
  try {
    return await findArchivedItems(world, publication.db, {
      ...query,
      limit: ARCHIVED_HITS_PER_PAGE,
    });
  } catch (error) {
    world.log.warn(
      { error: messageOf(error) },
      'the archive cannot be searched; the page shows only items of the read model',
    );
    return { kind: 'unavailable' };
  }
}

async function readStories(
  { world, publication }: PageContext,
  groups: HitGroups['groups'],
): Promise<ReadonlyMap<string, StorySummary>> {
  const ids = groups.flatMap(([item]) => item?.storyId ?? []);
  const summaries = (await findStories(world, publication, ids)).flatMap(
    (document) => documentSummary(document) ?? [],
  );
  return new Map(summaries.map((summary) => [summary.id, summary]));
}

const formatPosition = ({ at, id }: ArchivePosition) => `${at}.${id}`;

/** Parses the position of a link to older hits; null for any other text. */
function parsePosition(text: string | null): ArchivePosition | null {
  const [, at, id] = /^(\d{1,15})\.(.{0,128})$/u.exec(text ?? '') ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

/** Maximum number of further hits of a story in its row. */
const LISTED_MAX = 6;

function renderHit(
  context: PageContext,
  hits: readonly PublicItem[],
  stories: ReadonlyMap<string, StorySummary>,
  q: TextQuery,
  messages: ReaderMessages,
): Html {
  const [item, ...otherItems] = hits;
  if (item === undefined) return nothing;
  const { labels } = context;
  const story = stories.get(item.storyId ?? '');
  const multiReportStory = story !== undefined && story.reportCount > 1 ? story : null;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  const highlightMatches = (text: string) => highlight(text, q);
  return html`<li class="entry dated" data-row data-id="${item.id}" data-at="${item.timelineAt}">
${renderShortTime(context, item.timelineAt)}
<div>
<h3 lang="${writtenLanguage(item)}"><a href="/items/${item.id}">\
${highlightMatches(item.title)}</a></h3>
<p class="meta"><span>${highlightMatches(item.sourceName)}</span>${
    multiReportStory &&
    html`<span><a href="/stories/${multiReportStory.id}">\
${renderSourcesLine(multiReportStory, messages)}\
</a></span>`
  }${category && html`<span>${category}</span>`}${renderTranslationMark(item, messages)}</p>
${
  item.summary !== null &&
  html`<p class="says" lang="${writtenLanguage(item)}">\
${highlightMatches(item.summary)}</p>`
}
${renderStoryMarks(multiReportStory, messages)}${
  otherItems.length > 0 &&
  html`<details class="more-reports"><summary>${messages.moreOfStory(otherItems.length)}</summary>
<ul>
${otherItems.slice(0, LISTED_MAX).map(
  (other) => html`<li><a href="/items/${other.id}" lang="${other.language}">\
${highlightMatches(other.title)}</a> <span class="meta"><span>${other.sourceName}</span>\
<span>${renderShortTime(context, other.timelineAt)}</span></span></li>
`,
)}</ul></details>`
}</div>
</li>
`;
}
