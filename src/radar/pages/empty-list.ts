// The links of an empty list: to the setup when there is no source, otherwise to wider filters or
// to all items. A new radar shows how many sources were fetched.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { RANKING_KEY } from '../publication/documents/bodies.ts';
import { countFilledState } from '../publication/filled-state.ts';
import { documentOf } from '../publication/read-model/documents.ts';
import { filterPath, type ListFilters } from './list-filters.ts';
import { type ReaderMessages, readerMessages } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';

/** Shows the number of fetched sources until the first ranking exists. */
export async function renderFillingLine({ publication, health, site }: PageContext): Promise<Html> {
  if (documentOf(publication.readModel(), 'ranking', RANKING_KEY) !== null) return nothing;
  const sources = ((await health.read())?.sources ?? []).filter(
    ({ kind, status }) => kind !== 'push' && status === 'active',
  );
  if (sources.length === 0) return nothing;
  const fetchedCount = sources.filter(({ condition }) => condition !== 'waiting').length;
  return html`<p class="notice">\
${readerMessages(site.language).filling(fetchedCount, sources.length)}</p>`;
}

/** The text of a radar without sources, with a link to the setup. */
export const renderNoSource = (messages: ReaderMessages): Html =>
  html`<div class="empty"><p>${messages.emptyNoSource}</p>
<p class="more"><a class="button" href="/admin/setup">${messages.setUp}</a></p></div>`;

export async function renderEmptyList(context: PageContext, filters: ListFilters): Promise<Html> {
  const messages = readerMessages(context.site.language);
  const health = await context.health.read();
  const hasSources = health === null || health.sources.length > 0;
  const { category, window, language } = filters;
  const widerFilters: readonly (readonly [string, Partial<ListFilters>])[] = [
    ...(window === '24h' ? [[messages.showWeek, { window: '7d' }] as const] : []),
    ...(category !== null ? [[messages.showAllCategories, { category: null }] as const] : []),
    ...(language !== null ? [[messages.showAllLanguages, { language: null }] as const] : []),
  ];
  const { publication, world } = context;
  const filledState = countFilledState(publication.readModel(), world.clock.now());
  const isSelection = filledState.items > 0 && filters.path !== '/all';
  const chooseReason = () => {
    if (!hasSources) return messages.emptyNoSource;
    if (widerFilters.length > 0) return messages.emptyList;
    if (isSelection) return messages.emptySelection;
    return filledState.isRanked ? messages.emptyWeek : messages.emptyNew;
  };
  return html`<div class="empty"><h2>${messages.emptyTitle}</h2><p>${chooseReason()}</p>
<p class="more">${
    !hasSources && html`<a class="button" href="/admin/setup">${messages.setUp}</a>`
  }${widerFilters.map(
    ([name, changes]) => html`<a class="link" href="${filterPath(filters, changes)}">${name} →</a>`,
  )}${
    isSelection &&
    html`<a class="link" href="${filterPath(filters, { path: '/all' })}">\
${messages.showAll} →</a>`
  }${
    hasSources &&
    filledState.isRanked &&
    filledState.items === 0 &&
    html`<a class="link" href="/search">${messages.search} →</a>`
  }${hasSources && html`<a class="link" href="/sources">${messages.whichSources} →</a>`}</p></div>`;
}
