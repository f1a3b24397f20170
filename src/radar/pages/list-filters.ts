// The filters of lists as plain links: language of the items, category, and span of time. A page
// has all three filters, or only the language.
import { Fault } from '../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import { type ReaderMessages, readerMessages } from './messages/reader.ts';
import type { PageContext, PageRequest } from './page-context.ts';
import { ariaCurrent } from './page-layout.ts';
import { pathWith, readPageQuery } from './read-query.ts';

/** Language of the items that a list shows; null: all of them. */
export type ItemLanguage = 'en' | 'zh' | null;

export type ListFilters = {
  readonly path: string;
  readonly language: ItemLanguage;
  readonly category: string | null;
  readonly window: '24h' | '7d';
};

export function readFilters(
  path: string,
  { categories }: PageContext,
  request: PageRequest,
): ListFilters {
  const query = readPageQuery(request.rawQuery);
  return {
    path,
    language: readLanguage(request),
    category: query.oneOf('category', categories),
    window: query.oneOf('window', ['24h', '7d']) ?? '7d',
  };
}

export function readLanguage({ rawQuery }: PageRequest): ItemLanguage {
  const language = readPageQuery(rawQuery).oneOf('language', ['all', 'en', 'zh']);
  return language === 'all' ? null : language;
}

/** The language in which titles are shown. */
export const titleLanguage = (language: ItemLanguage, { site }: Pick<PageContext, 'site'>) =>
  language ?? (site.language === 'zh-CN' ? 'zh' : 'en');

/**
 * The address of a list with some of its filters changed. A change to all languages is explicit,
 * because an address without a language follows the reader's cookie.
 */
export function filterPath(filters: ListFilters, changes: Partial<ListFilters> = {}): string {
  const { path, language, category, window } = { ...filters, ...changes };
  const resetsLanguage = 'language' in changes && language === null;
  return pathWith(path, {
    language: resetsLanguage ? 'all' : language,
    category,
    window: window === '7d' ? null : window,
  });
}

/** The names of chosen filters for the title of the page. */
export function filterNames({ labels, site }: PageContext, filters: ListFilters) {
  const messages = readerMessages(site.language);
  const { category, window, language } = filters;
  return [
    ...(category === null ? [] : [labels[category] ?? category]),
    ...(window === '24h' ? [messages.window24h] : []),
    ...(language === null ? [] : [languageNames[language]]),
  ];
}

/** The name of each language in that language. */
export const languageNames = { en: 'English', zh: '中文' } as const;

export function renderFilterLinks(context: PageContext, filters: ListFilters): Html {
  const messages = readerMessages(context.site.language);
  const { category, window } = filters;
  const renderLink = (name: string, isCurrent: boolean, changes: Partial<ListFilters>) =>
    html`<li><a href="${filterPath(filters, changes)}"${ariaCurrent(isCurrent)}>${name}</a></li>
`;
  return html`<div class="filters">
${renderLanguageLinks(filters.language, messages, (language) => filterPath(filters, { language }))}
<ul aria-label="${messages.window}">
${renderLink(messages.window24h, window === '24h', { window: '24h' })}\
${renderLink(messages.window7d, window === '7d', { window: '7d' })}</ul>
<ul aria-label="${messages.category}">
${renderLink(messages.anyCategory, category === null, { category: null })}${context.categories.map(
  (id) => renderLink(context.labels[id] ?? id, category === id, { category: id }),
)}</ul>
</div>`;
}

/** `pathOf`: the address of the page in that language. A script stores the choice in the cookie. */
export function renderLanguageLinks(
  chosenLanguage: ItemLanguage,
  messages: ReaderMessages,
  pathOf: (language: ItemLanguage) => string,
): Html {
  const renderLink = (language: ItemLanguage, name: Html | string) =>
    html`<li><a href="${pathOf(language)}" data-language="${language ?? 'all'}"\
${ariaCurrent(chosenLanguage === language)}>${name}</a></li>
`;
  return html`<ul aria-label="${messages.itemLanguage}">
${renderLink(null, messages.anyLanguage)}\
${renderLink('en', html`<span lang="en">${languageNames.en}</span>`)}\
${renderLink('zh', html`<span lang="zh">${languageNames.zh}</span>`)}</ul>`;
}

export const staleCursorFault = () =>
  new Fault('invalid_cursor', 'Start again from the first page.', {
    inChinese: '请从第一页重新开始。',
  });

type Position = {
  /** The cursor of this page; null: the first page. */
  readonly cursor: string | null;
  readonly next: string | null;
};

export function renderPageLinks(
  { site }: PageContext,
  filters: ListFilters,
  { cursor, next }: Position,
): Html {
  const messages = readerMessages(site.language);
  if (next === null && cursor === null) return nothing;
  const firstPagePath = filterPath(filters);
  const olderPagePath =
    next && `${firstPagePath}${firstPagePath.includes('?') ? '&' : '?'}cursor=${next}`;
  return html`<nav class="more" aria-label="${messages.older}">
${olderPagePath && html`<a class="link" rel="next" href="${olderPagePath}">${messages.older} →</a>`}
${cursor && html`<a href="${firstPagePath}">${messages.newest}</a>`}
</nav>`;
}
