// `/search`: one field, a plain form; where scripts run, results come while one types. The rule of
// matching is the API's.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import type { PublicItem } from '../publication/item.ts';
import { pageOf } from '../publication/read-model/page.ts';
import { parseQuery } from '../publication/search/query.ts';
import { entry } from './list-entry.ts';
import { type Words, wordsOf } from './messages/reader.ts';
import type { PageAnswer, PageAsked, PageContext } from './page-context.ts';
import { pageAnswer } from './page-layout.ts';
import { pathWith, readPageQuery } from './read-query.ts';

const ENTRIES = 50;

export function searchPage(context: PageContext, asked: PageAsked): PageAnswer {
  const words = wordsOf(context.site.language);
  const query = readPageQuery(asked.rawQuery);
  const typed = query.text('q', 2_000) ?? '';
  return pageAnswer(context, {
    title: typed === '' ? words.search : `${typed} · ${words.search}`,
    description: words.searchAbout,
    canonical: typed === '' ? '/search' : null,
    section: 'search',
    scripts: ['search.js'],
    main: html`<div class="page-head"><h1>${words.search}</h1><p>${words.searchAbout}</p></div>
<form class="bar" action="/search" role="search" data-search>
<div class="grows">
<label class="over" for="q">${words.searchLabel}</label>
<input type="search" id="q" name="q" value="${typed}" maxlength="200" autocomplete="off" \
enterkeyhint="search" aria-describedby="q-help" autofocus>
</div>
<button>${words.search}</button>
</form>
<p class="meta form-help" id="q-help">${words.searchHelp}</p>
<div aria-live="polite" data-results>
${results(context, typed, words)}
</div>`,
  });
}

function results(context: PageContext, typed: string, words: Words): Html {
  if (typed.trim() === '') return nothing;
  const parsed = parseQuery(typed);
  if (parsed.kind !== 'query') {
    return html`<p class="notice">${words.searchLength}</p>`;
  }
  const { items, hasMore } = found(context, parsed.query);
  if (items.length === 0) {
    return html`<div class="empty"><h2>${words.nothingFound}</h2>
<p>${words.nothingFoundAbout}</p></div>`;
  }
  const place = { story: null, withDay: true };
  const json = pathWith('/api/v1/items', { mode: 'all', q: parsed.query.text });
  return html`<h2 class="side meta"><span>${words.found(items.length, hasMore)}</span>\
<span><a href="${json}">JSON</a></span></h2>
<ol>
${items.map((item) => entry(context, item, { ...place, at: item.timelineAt }))}</ol>`;
}

type Query = Extract<ReturnType<typeof parseQuery>, { kind: 'query' }>['query'];

function found({ publication, world }: PageContext, q: Query) {
  const query = { mode: 'all', category: null, by: 'timeline', window: '7d' } as const;
  const wanted = { ...query, q, limit: ENTRIES, anchor: null };
  const page = pageOf(publication.edition(), wanted, world.clock.now());
  const none: readonly PublicItem[] = [];
  return page.kind === 'page' ? page : { items: none, hasMore: false };
}
