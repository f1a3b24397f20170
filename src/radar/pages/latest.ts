// `/latest` and `/all`: the flat list of items, by day, newest first. `/latest` has the selected
// items and `/all` every item.
import { type Html, html } from '../../kernel/html/html.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import { formatDayHeading } from '../../kernel/web/format-time.ts';
import type { PublicItem } from '../publication/item.ts';
import { openAnchor, sealAnchor } from '../publication/read-model/item-cursor.ts';
import { pageOf } from '../publication/read-model/page.ts';
import { hasLanguage } from '../publication/read-model/story-rows.ts';
import { renderEmptyList } from './empty-list.ts';
import { renderItemRow } from './item-row.ts';
import {
  filterNames,
  filterPath,
  type ListFilters,
  readFilters,
  renderFilterLinks,
  renderPageLinks,
  staleCursorFault,
} from './list-filters.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest, PageResponse } from './page-context.ts';
import { ariaCurrent, pageResponse } from './page-layout.ts';
import { readPageQuery } from './read-query.ts';

const ROWS_PER_PAGE = 40;

export async function latestPage(
  path: '/latest' | '/all',
  context: PageContext,
  request: PageRequest,
): Promise<PageResponse> {
  const filters = readFilters(path, context, request);
  const cursor = readPageQuery(request.rawQuery).text('cursor', 1024);
  const { items, next } = readItems(context, filters, cursor);
  const messages = readerMessages(context.site.language);
  const isAll = path === '/all';
  const title = isAll ? messages.allTitle : messages.latestTitle;
  const description = isAll ? messages.allAbout : messages.latestAbout;
  return pageResponse(context, {
    title: [...filterNames(context, filters), title].join(' · '),
    description,
    canonical: cursor === null && filterPath(filters) === path ? path : null,
    section: 'latest',
    isFiltered: true,
    feed: isAll ? '/feed/all' : '/feed',
    main: html`<div class="list-head"><h1>${title}</h1>
<p class="since" role="status" data-since="${messages.newSince('#')}" \
data-fresh="${messages.newStories('#')}"></p></div>
<div class="filters"><ul aria-label="${messages.latest}">
<li><a href="${filterPath({ ...filters, path: '/latest' })}"${ariaCurrent(!isAll)}>\
${messages.selectedOnly}</a></li>
<li><a href="${filterPath({ ...filters, path: '/all' })}"${ariaCurrent(isAll)}>\
${messages.everything}</a></li></ul></div>
${renderFilterLinks(context, filters)}
${items.length === 0 ? await renderEmptyList(context, filters) : renderDays(context, items)}
${renderPageLinks(context, filters, { cursor, next })}`,
  });
}

type ItemPage = { readonly items: readonly PublicItem[]; readonly next: string | null };

function readItems(
  { publication, world }: PageContext,
  { path, category, window, language }: ListFilters,
  cursor: string | null,
): ItemPage {
  const mode = path === '/all' ? 'all' : 'selected';
  const scope = { mode, category, window, by: 'timeline', q: null } as const;
  const secret = publication.cursorSecret;
  let anchor = cursor === null ? null : openAnchor(secret, scope, cursor);
  if (cursor !== null && anchor === null) throw staleCursorFault();
  const items: PublicItem[] = [];
  const now = world.clock.now();
  // A filter by language leaves gaps, so further pages are read until the list is full.
  for (;;) {
    const page = pageOf(publication.readModel(), { ...scope, limit: ROWS_PER_PAGE, anchor }, now);
    if (page.kind === 'anchor_expired') return { items, next: null };
    for (const item of page.items) {
      if (!hasLanguage(item, language)) continue;
      if (items.length === ROWS_PER_PAGE) {
        const lastItem = items.at(-1);
        const lastAnchor = lastItem && { at: lastItem.timelineAt, id: lastItem.id };
        return { items, next: lastAnchor ? sealAnchor(secret, scope, lastAnchor) : null };
      }
      items.push(item);
    }
    if (page.nextAnchor === null) return { items, next: null };
    anchor = page.nextAnchor;
    if (items.length === ROWS_PER_PAGE) return { items, next: sealAnchor(secret, scope, anchor) };
  }
}

function renderDays(context: PageContext, items: readonly PublicItem[]): Html {
  const { site, world } = context;
  const now = world.clock.now();
  const days = Map.groupBy(items, (item) => shanghaiDay(item.timelineAt).day);
  return html`<div data-timeline>
${[...days.values()].map(
  (dayItems) => html`<section class="day">
<h2>${formatDayHeading(site.language, dayItems[0]?.timelineAt ?? now, now)}</h2>
<ol>
${dayItems.map((item) => renderItemRow(context, item, 'clock'))}</ol>
</section>
`,
)}</div>`;
}
