// `/`: the front page. It shows the top stories of the ranking, then the timeline with one row for
// each story or item without a story. No story appears twice.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { guessLanguage } from '../../kernel/html/text-language.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import {
  formatDayHeading,
  renderClockTime,
  renderShortTime,
} from '../../kernel/web/format-time.ts';
import { RANKING_KEY, type RankedTopic } from '../publication/documents/bodies.ts';
import { type StorySummary, storySummary } from '../publication/documents/story-summary.ts';
import { documentOf } from '../publication/read-model/documents.ts';
import { openAnchor, sealAnchor } from '../publication/read-model/item-cursor.ts';
import { itemOf } from '../publication/read-model/read-model.ts';
import { readStoryRows, type StoryRow } from '../publication/read-model/story-rows.ts';
import { cutoffOf } from '../publication/read-model/window.ts';
import { topicLead, topicTitle } from '../publication/topic-title.ts';
import { renderEmptyList, renderFillingLine } from './empty-list.ts';
import {
  filterNames,
  filterPath,
  type ListFilters,
  readFilters,
  renderFilterLinks,
  renderPageLinks,
  staleCursorFault,
  titleLanguage,
} from './list-filters.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';
import { readPageQuery } from './read-query.ts';
import { renderSourcesLine, renderStoryMarks } from './story-parts.ts';
import { renderTranslationMark, writtenLanguage } from './translation-mark.ts';

const ROWS_PER_PAGE = 40;
const TOP_STORIES = 5;
/** A story with this many sources has a larger title in the timeline. */
const WIDE_STORY_SOURCES = 5;

export async function frontPage(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const messages = readerMessages(context.site.language);
  const filters = readFilters('/', context, request);
  const cursor = readPageQuery(request.rawQuery).text('cursor', 1024);
  const topStories = readTopStories(context, filters);
  const { rows, next } = readRows(
    context,
    filters,
    cursor,
    new Set(topStories.map(({ id }) => id)),
  );
  const isFirstPage = cursor === null;
  const isEmpty = rows.length === 0 && (!isFirstPage || topStories.length === 0);
  const [lead, ...otherStories] = isFirstPage ? topStories : [];
  return pageResponse(context, {
    title: [...filterNames(context, filters), messages.frontTitle].join(' · '),
    description: messages.frontAbout,
    canonical: isFirstPage && filterPath(filters) === '/' ? '/' : null,
    section: 'front',
    isFiltered: true,
    main: html`<div class="list-head"><h1>${messages.frontTitle}</h1>\
${renderUpdateTime(context, rows)}\
<p class="since" role="status" data-since="${messages.newSince('#')}" \
data-fresh="${messages.newStories('#')}"></p></div>
${renderFilterLinks(context, filters)}
${await renderFillingLine(context)}
${
  lead &&
  html`<section class="top" aria-label="${messages.topStories}">
${renderTopStory(context, lead, filters, 'lead')}
<div class="others">
${otherStories.map((story) => renderTopStory(context, story, filters, 'block'))}</div>
</section>
`
}${isEmpty ? await renderEmptyList(context, filters) : renderTimeline(context, rows, filters)}
${renderPageLinks(context, filters, { cursor, next })}`,
  });
}

/** The first stories of the ranking that match the filters. */
function readTopStories(context: PageContext, filters: ListFilters): readonly StorySummary[] {
  const { publication, world } = context;
  const readModel = publication.readModel();
  const ranking = documentOf(readModel, 'ranking', RANKING_KEY)?.body;
  const cutoff = cutoffOf(filters.window, world.clock.now());
  const matchesFilters = (topic: RankedTopic, story: StorySummary) => {
    const { category, language } = filters;
    const isOfCategory =
      category === null || itemOf(readModel, topic.itemId)?.category === category;
    const isOfLanguage =
      language === null || story.reports.some((report) => report.language.startsWith(language));
    return isOfCategory && isOfLanguage && story.latestAt >= cutoff;
  };
  const stories = (ranking?.topics ?? []).flatMap((topic) => {
    const story = storySummary(readModel, topic.storyId);
    return story !== null && matchesFilters(topic, story) ? [story] : [];
  });
  return stories.slice(0, TOP_STORIES);
}

function readRows(
  { publication, world }: PageContext,
  { category, window, language }: ListFilters,
  cursor: string | null,
  excludedStoryIds: ReadonlySet<string>,
): { readonly rows: readonly StoryRow[]; readonly next: string | null } {
  const scope = { mode: 'selected', category, window, by: 'timeline', q: null } as const;
  const secret = publication.cursorSecret;
  const anchor = cursor === null ? null : openAnchor(secret, scope, cursor);
  if (cursor !== null && anchor === null) throw staleCursorFault();
  const query = {
    mode: 'selected',
    category,
    window,
    language,
    excludedStoryIds,
    limit: ROWS_PER_PAGE,
    anchor,
  } as const;
  const { rows, nextAnchor } = readStoryRows(publication.readModel(), query, world.clock.now());
  return { rows, next: nextAnchor && sealAnchor(secret, scope, nextAnchor) };
}

/** Shows the time of the newest item or of the ranking, whichever is later. */
function renderUpdateTime(context: PageContext, rows: readonly StoryRow[]): Html {
  const ranking = documentOf(context.publication.readModel(), 'ranking', RANKING_KEY)?.body;
  const times = [ranking?.rankedAt ?? 0, ...rows.map(({ item }) => item.discoveredAt)];
  const newestAt = Math.max(...times);
  if (newestAt === 0) return nothing;
  const messages = readerMessages(context.site.language);
  return html`<p class="meta updated">${messages.updated} \
${renderShortTime(context, newestAt)}</p>`;
}

function renderTopStory(
  context: PageContext,
  story: StorySummary,
  filters: ListFilters,
  kind: 'lead' | 'block',
): Html {
  const messages = readerMessages(context.site.language);
  const title = titleOf(context, story, filters);
  const language = titleLanguage(filters.language, context);
  const text = topicLead(context.publication.readModel(), story, { language });
  const summary = text === title ? null : text;
  return html`<article class="story ${kind}" data-row data-story="${story.id}" \
data-at="${story.latestAt}">
<h2 lang="${guessLanguage(title)}"><a href="/stories/${story.id}">${title}</a></h2>
${summary && html`<p class="summary" lang="${guessLanguage(summary)}">${summary}</p>`}
<p class="meta">${renderSourcesLine(story, messages)}\
<span>${renderShortTime(context, story.latestAt)}</span></p>
${renderStoryMarks(story, messages)}</article>
`;
}

const titleOf = (context: PageContext, story: StorySummary, { language }: ListFilters) =>
  topicTitle(story, story, { language: titleLanguage(language, context) });

function renderTimeline(
  context: PageContext,
  rows: readonly StoryRow[],
  filters: ListFilters,
): Html {
  const { site, world } = context;
  const now = world.clock.now();
  const days = Map.groupBy(rows, ({ item }) => shanghaiDay(item.timelineAt).day);
  return html`<div data-timeline>
${[...days.values()].map(
  (dayRows) => html`<section class="day">
<h2>${formatDayHeading(site.language, dayRows[0]?.item.timelineAt ?? now, now)}</h2>
<ol>
${dayRows.map((row) => renderRow(context, row, filters))}</ol>
</section>
`,
)}</div>`;
}

function renderRow(context: PageContext, { item, story }: StoryRow, filters: ListFilters): Html {
  const { site, labels } = context;
  const messages = readerMessages(site.language);
  const hasOtherReports = story !== null && story.reportCount > 1;
  const title = hasOtherReports ? titleOf(context, story, filters) : item.title;
  const href = hasOtherReports ? `/stories/${story.id}` : `/items/${item.id}`;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  const isWide = hasOtherReports && story.sourceCount >= WIDE_STORY_SOURCES;
  const sizeClass = isWide ? ' wide-story' : '';
  return html`<li class="entry${sizeClass}" data-row data-id="${item.id}" \
data-at="${item.timelineAt}">
${renderClockTime(item.timelineAt)}
<div>
<h3 lang="${hasOtherReports ? guessLanguage(title) : writtenLanguage(item)}">\
<a href="${href}">${title}</a></h3>
<p class="meta">${
    hasOtherReports ? renderSourcesLine(story, messages) : html`<span>${item.sourceName}</span>`
  }${category && html`<span>${category}</span>`}\
${!hasOtherReports && renderTranslationMark(item, messages)}</p>
${
  item.summary !== null && html`<p class="says" lang="${writtenLanguage(item)}">${item.summary}</p>`
}
${renderStoryMarks(story, messages)}\
${hasOtherReports && renderOtherReports(context, story, item.id)}</div>
</li>
`;
}

const LISTED_MAX = 8;

/** Renders the other reports of a row's story in a `details` element. */
function renderOtherReports(context: PageContext, story: StorySummary, shownId: string): Html {
  const messages = readerMessages(context.site.language);
  const otherReports = story.reports.filter(({ id }) => id !== shownId);
  const count = story.reportCount - 1;
  return html`<details class="more-reports"><summary>${messages.moreOfStory(count)}</summary>
<ul>
${otherReports.slice(0, LISTED_MAX).map(
  ({ id, title, sourceName, at, language }) => html`<li>\
<a href="/items/${id}" lang="${language}">${title}</a> \
<span class="meta"><span>${sourceName}</span>\
<span>${renderShortTime(context, at)}</span></span></li>
`,
)}${
  count > LISTED_MAX &&
  html`<li><a class="link" href="/stories/${story.id}">${messages.wholeStory} →</a></li>`
}</ul></details>
`;
}
