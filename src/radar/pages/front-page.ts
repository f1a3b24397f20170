// `/`: the front page. It shows the top stories of the ranking, then the timeline with one row for
// each story. No story appears twice.
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
import { type StoryRow, storyRows } from '../publication/read-model/story-rows.ts';
import { cutoffOf } from '../publication/read-model/window.ts';
import { topicLead, topicTitle } from '../publication/topic-title.ts';
import { emptyList, fillingLine } from './empty-list.ts';
import {
  filterLinks,
  filterNames,
  filterPath,
  type ListFilters,
  olderLinks,
  readFilters,
  staleCursor,
  titleLanguage,
} from './list-filters.ts';
import { messagesOf } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';
import { readPageQuery } from './read-query.ts';
import { sourcesLine, storyMarks } from './story-parts.ts';
import { translationMark, writtenLanguage } from './translation-mark.ts';

const ROWS = 40;
const TOP = 5;

export async function frontPage(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const messages = messagesOf(context.site.language);
  const filters = readFilters('/', context, request);
  const cursor = readPageQuery(request.rawQuery).text('cursor', 1024);
  const top = topStories(context, filters);
  const { rows, next } = rowsOf(context, filters, cursor, new Set(top.map(({ id }) => id)));
  const isFirst = cursor === null;
  const isEmpty = rows.length === 0 && (!isFirst || top.length === 0);
  const [lead, ...others] = isFirst ? top : [];
  return pageResponse(context, {
    title: [...filterNames(context, filters), messages.frontTitle].join(' · '),
    description: messages.frontAbout,
    canonical: isFirst && filterPath(filters) === '/' ? '/' : null,
    section: 'front',
    isFiltered: true,
    main: html`<div class="list-head"><h1>${messages.frontTitle}</h1>${updatedLine(context, rows)}\
<p class="since" role="status" data-since="${messages.newSince('#')}" \
data-fresh="${messages.newStories('#')}"></p></div>
${filterLinks(context, filters)}
${await fillingLine(context)}
${
  lead &&
  html`<section class="top" aria-label="${messages.topStories}">
${storyBlock(context, lead, filters, 'lead')}
<div class="others">
${others.map((story) => storyBlock(context, story, filters, 'block'))}</div>
</section>
`
}${isEmpty ? await emptyList(context, filters) : timeline(context, rows, filters)}
${olderLinks(context, filters, { cursor, next })}`,
  });
}

/** The first stories of the ranking that match the filters. */
function topStories(context: PageContext, filters: ListFilters): readonly StorySummary[] {
  const { publication, world } = context;
  const readModel = publication.readModel();
  const ranking = documentOf(readModel, 'ranking', RANKING_KEY)?.body;
  const cutoff = cutoffOf(filters.window, world.clock.now());
  const isShown = (topic: RankedTopic, story: StorySummary) => {
    const { category, language } = filters;
    const isOfCategory =
      category === null || itemOf(readModel, topic.itemId)?.category === category;
    const isOfLanguage =
      language === null || story.reports.some((report) => report.language.startsWith(language));
    return isOfCategory && isOfLanguage && story.latestAt >= cutoff;
  };
  const stories = (ranking?.topics ?? []).flatMap((topic) => {
    const story = storySummary(readModel, topic.storyId);
    return story !== null && isShown(topic, story) ? [story] : [];
  });
  return stories.slice(0, TOP);
}

function rowsOf(
  { publication, world }: PageContext,
  { category, window, language }: ListFilters,
  cursor: string | null,
  excluded: ReadonlySet<string>,
): { readonly rows: readonly StoryRow[]; readonly next: string | null } {
  const scope = { mode: 'selected', category, window, by: 'timeline', q: null } as const;
  const secret = publication.cursorSecret;
  const anchor = cursor === null ? null : openAnchor(secret, scope, cursor);
  if (cursor !== null && anchor === null) throw staleCursor();
  const query = {
    mode: 'selected',
    category,
    window,
    language,
    excluded,
    limit: ROWS,
    anchor,
  } as const;
  const { rows, nextAnchor } = storyRows(publication.readModel(), query, world.clock.now());
  return { rows, next: nextAnchor && sealAnchor(secret, scope, nextAnchor) };
}

/** The later of two times: publication of the newest item and of the ranking. */
function updatedLine(context: PageContext, rows: readonly StoryRow[]): Html {
  const ranking = documentOf(context.publication.readModel(), 'ranking', RANKING_KEY)?.body;
  const times = [ranking?.rankedAt ?? 0, ...rows.map(({ item }) => item.discoveredAt)];
  const newestAt = Math.max(...times);
  if (newestAt === 0) return nothing;
  const messages = messagesOf(context.site.language);
  return html`<p class="meta updated">${messages.updated} ${renderShortTime(context, newestAt)}\
</p>`;
}

function storyBlock(
  context: PageContext,
  story: StorySummary,
  filters: ListFilters,
  kind: 'lead' | 'block',
): Html {
  const messages = messagesOf(context.site.language);
  const title = titleOf(context, story, filters);
  const language = titleLanguage(filters.language, context);
  const text = topicLead(context.publication.readModel(), story, { language });
  const lead = text === title ? null : text;
  return html`<article class="story ${kind}" data-row data-story="${story.id}" \
data-at="${story.latestAt}">
<h2 lang="${guessLanguage(title)}"><a href="/stories/${story.id}">${title}</a></h2>
${lead && html`<p class="summary" lang="${guessLanguage(lead)}">${lead}</p>`}
<p class="meta">${sourcesLine(story, messages)}\
<span>${renderShortTime(context, story.latestAt)}</span></p>
${storyMarks(story, messages)}</article>
`;
}

const titleOf = (context: PageContext, story: StorySummary, { language }: ListFilters) =>
  topicTitle(story, story, { language: titleLanguage(language, context) });

function timeline(context: PageContext, rows: readonly StoryRow[], filters: ListFilters): Html {
  const { site, world } = context;
  const now = world.clock.now();
  const days = Map.groupBy(rows, ({ item }) => shanghaiDay(item.timelineAt).day);
  return html`<div data-timeline>
${[...days.values()].map(
  (ofDay) => html`<section class="day">
<h2>${formatDayHeading(site.language, ofDay[0]?.item.timelineAt ?? now, now)}</h2>
<ol>
${ofDay.map((row) => timelineRow(context, row, filters))}</ol>
</section>
`,
)}</div>`;
}

function timelineRow(context: PageContext, { item, story }: StoryRow, filters: ListFilters): Html {
  const { site, labels } = context;
  const messages = messagesOf(site.language);
  const hasMore = story !== null && story.reportCount > 1;
  const title = hasMore ? titleOf(context, story, filters) : item.title;
  const href = hasMore ? `/stories/${story.id}` : `/items/${item.id}`;
  const category = item.category === null ? null : (labels[item.category] ?? item.category);
  const size = hasMore && story.sourceCount >= 5 ? ' wide-story' : '';
  return html`<li class="entry${size}" data-row data-id="${item.id}" data-at="${item.timelineAt}">
${renderClockTime(item.timelineAt)}
<div>
<h3 lang="${hasMore ? guessLanguage(title) : writtenLanguage(item)}">\
<a href="${href}">${title}</a></h3>
<p class="meta">${
    hasMore ? sourcesLine(story, messages) : html`<span>${item.sourceName}</span>`
  }${category && html`<span>${category}</span>`}${!hasMore && translationMark(item, messages)}</p>
${
  item.summary !== null && html`<p class="says" lang="${writtenLanguage(item)}">${item.summary}</p>`
}
${storyMarks(story, messages)}${hasMore && moreReports(context, story, item.id)}</div>
</li>
`;
}

const LISTED = 8;

/** The other reports of a row's story. They open in place. */
function moreReports(context: PageContext, story: StorySummary, shownId: string): Html {
  const messages = messagesOf(context.site.language);
  const others = story.reports.filter(({ id }) => id !== shownId);
  const count = story.reportCount - 1;
  return html`<details class="more-reports"><summary>${messages.moreOfStory(count)}</summary>
<ul>
${others.slice(0, LISTED).map(
  ({ id, title, sourceName, at, language }) => html`<li>\
<a href="/items/${id}" lang="${language}">${title}</a> \
<span class="meta"><span>${sourceName}</span><span>${renderShortTime(context, at)}</span></span>\
</li>
`,
)}${
  count > LISTED &&
  html`<li><a class="link" href="/stories/${story.id}">${messages.wholeStory} →</a></li>`
}</ul></details>
`;
}
