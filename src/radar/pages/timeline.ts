// `/` and `/all`: the timeline, by day, newest first, with filters that are plain links.

import { Fault } from '../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { StoryBody } from '../publication/documents/bodies.ts';
import type { PublicItem } from '../publication/item.ts';
import { documentOf } from '../publication/read-model/documents.ts';
import { openAnchor, sealAnchor } from '../publication/read-model/item-cursor.ts';
import { type PageQuery as ItemsQuery, pageOf } from '../publication/read-model/page.ts';
import { entry } from './list-entry.ts';
import { type Words, wordsOf } from './messages/reader.ts';
import type { PageAnswer, PageAsked, PageContext } from './page-context.ts';
import { current, pageAnswer } from './page-layout.ts';
import { pathWith, readPageQuery } from './read-query.ts';
import { dayHeading } from './show-time.ts';

const ENTRIES = 40;

type Filters = {
  readonly path: '/' | '/all';
  readonly category: string | null;
  readonly window: '24h' | '7d';
  readonly cursor: string | null;
};

export function timelinePage(
  path: Filters['path'],
  context: PageContext,
  asked: PageAsked,
): PageAnswer {
  const filters = filtersOf(path, context, asked);
  const page = itemsOf(context, filters);
  const isAll = path === '/all';
  const words = wordsOf(context.site.language);
  const title = isAll ? words.allTitle : words.selectedTitle;
  const about = isAll ? words.allAbout : words.selectedAbout;
  return pageAnswer(context, {
    title: [...chosenNames(context, filters, words), title].join(' · '),
    description: about,
    canonical: filters.cursor === null && filters.category === null ? path : null,
    section: isAll ? 'all' : 'timeline',
    main: html`<div class="page-head"><h1>${title}</h1><p>${about}</p>
<p class="since" role="status" data-since="${words.newSince('#')}"></p></div>
${filterLinks(context, filters, words)}
${page.items.length === 0 ? emptyState(words, isAll) : daysOf(context, page.items)}
${moreLinks(filters, page.next, words)}`,
  });
}

function filtersOf(path: Filters['path'], context: PageContext, asked: PageAsked): Filters {
  const query = readPageQuery(asked.rawQuery);
  return {
    path,
    category: query.one('category', context.categories),
    window: query.one('window', ['24h', '7d']) ?? '7d',
    cursor: query.text('cursor', 1024),
  };
}

/** What was chosen, so that tabs, bookmarks and who hears the title know one list from another. */
function chosenNames({ labels }: PageContext, filters: Filters, words: Words): readonly string[] {
  const { category, window } = filters;
  return [
    ...(category === null ? [] : [labels[category] ?? category]),
    ...(window === '24h' ? [words.window24h] : []),
  ];
}

const staleCursor = () =>
  new Fault('invalid_cursor', 'Start again from the first page.', {
    inChinese: '请从第一页重新开始。',
  });

type Listed = { readonly items: readonly PublicItem[]; readonly next: string | null };

function itemsOf({ publication, world }: PageContext, filters: Filters): Listed {
  const { path, category, window, cursor } = filters;
  const mode = path === '/all' ? 'all' : 'selected';
  const bound = { mode, category, window, by: 'timeline', q: null } as const;
  const secret = publication.cursorSecret;
  const anchor = cursor === null ? null : openAnchor(secret, bound, cursor);
  if (cursor !== null && anchor === null) throw staleCursor();
  const query: ItemsQuery = { ...bound, limit: ENTRIES, anchor };
  const page = pageOf(publication.edition(), query, world.clock.now());
  if (page.kind === 'anchor_left') return { items: [], next: null };
  return {
    items: page.items,
    next: page.nextAnchor && sealAnchor(secret, bound, page.nextAnchor),
  };
}

function filterLinks(context: PageContext, filters: Filters, words: Words): Html {
  const link = (name: string, isCurrent: boolean, values: Partial<Filters>) => {
    const { path, category, window } = { ...filters, ...values };
    const href = pathWith(path, { category, window: window === '7d' ? null : window });
    return html`<li><a href="${href}"${current(isCurrent)}>${name}</a></li>
`;
  };
  const { category, window } = filters;
  return html`<div class="filters">
<ul aria-label="${words.category}">
${link(words.anyCategory, category === null, { category: null })}${context.categories.map((id) =>
  link(context.labels[id] ?? id, category === id, { category: id }),
)}</ul>
<ul aria-label="${words.window}">
${link(words.window7d, window === '7d', { window: '7d' })}\
${link(words.window24h, window === '24h', { window: '24h' })}</ul>
</div>`;
}

function daysOf(context: PageContext, items: readonly PublicItem[]): Html {
  const { site, world, publication } = context;
  const now = world.clock.now();
  const days = Map.groupBy(items, (item) => shanghaiDay(item.timelineAt).day);
  const storyOf = (item: PublicItem): StoryBody | null => {
    if (item.storyId === null) return null;
    const body = documentOf(publication.edition(), 'story', item.storyId)?.body;
    return body?.kind === 'story' ? body : null;
  };
  return html`<div data-timeline>
${[...days.values()].map(
  (listed) => html`<section class="day">
<h2>${dayHeading(site.language, listed[0]?.timelineAt ?? now, now)}</h2>
<ol>
${listed.map((item) => entry(context, item, { at: item.timelineAt, story: storyOf(item) }))}</ol>
</section>
`,
)}</div>`;
}

function emptyState(words: Words, isAll: boolean): Html {
  const why = isAll ? words.emptyAll : words.emptyTimeline;
  return html`<div class="empty"><h2>${words.emptyTitle}</h2><p>${why}</p>
<p class="more"><a class="link" href="/about#sources">${words.whichSources} →</a></p></div>`;
}

function moreLinks(filters: Filters, next: string | null, words: Words): Html {
  const { path, category, cursor } = filters;
  const window = filters.window === '7d' ? null : filters.window;
  if (next === null && cursor === null) return nothing;
  const older = next && pathWith(path, { category, window, cursor: next });
  return html`<nav class="more" aria-label="${words.older}">
${older && html`<a class="link" rel="next" href="${older}">${words.older} →</a>`}
${cursor && html`<a href="${pathWith(path, { category, window })}">${words.newest}</a>`}
</nav>`;
}
