// Reads entries from a web page. The settings' selectors locate each entry, its link, title and
// date. A page without matches is a failure instead of an empty list.

import type { PageDocument, PageElement } from '../../article/dom.ts';
import { cleanLine, lineOf, textOf } from '../../article/page-text.ts';
import { absoluteUrl, type ParsedPage, parsePage } from '../../article/parse-page.ts';
import { type FetchWarning, FetchWarnings, fetchWarning } from '../../fetch/fetch-warning.ts';
import type { DetailSettings, WebListSettings } from '../../source-settings.ts';
import type { ParsedEntry, ParsedFeed } from '../entry.ts';
import { defaultTimeZone, passesFilters } from './filter-links.ts';
import { parseHumanDate } from './parse-human-date.ts';
import { selectorErrorOf } from './selector.ts';

export type WebListContext = {
  /** Address of the document after redirects. */
  readonly url: string;
  /** Time of the fetch, epoch milliseconds. */
  readonly now: number;
  /** The source's language, BCP 47. */
  readonly language: string;
};

export type ReadListResult =
  | { readonly kind: 'read'; readonly feed: ParsedFeed }
  /** The warning has the setting and the value found. */
  | { readonly kind: 'failed'; readonly warning: FetchWarning };

const ENTRIES_MAX_DEFAULT = 200;

/** `html` is the decoded page. The entries keep its order, and each address occurs once. */
export function readWebList(
  html: string,
  settings: WebListSettings,
  context: WebListContext,
): ReadListResult {
  const page = parsePage(html, context.url);
  const invalidSelector = invalidSelectorWarning(settings);
  if (invalidSelector !== null) return failedResult(invalidSelector);
  const items = [...page.document.querySelectorAll(settings.item)];
  if (items.length === 0) {
    return failedResult(
      fetchWarning('selector-none', 'settings.item', JSON.stringify(settings.item)),
    );
  }
  const warnings = new FetchWarnings();
  const entries = new Map<string, ParsedEntry>();
  for (const item of items) {
    const entry = readItem(item, page, settings, context, warnings);
    if (entry?.url == null || !passesFilters(entry.url, page.baseUrl, settings)) continue;
    const earlierEntry = entries.get(entry.url);
    // An image and a headline often link to the same page. The link with the title is used.
    if (earlierEntry === undefined || (earlierEntry.title === null && entry.title !== null)) {
      entries.set(entry.url, entry);
    }
  }
  if (entries.size === 0) warnings.add(fetchWarning('all-filtered'));
  return {
    kind: 'read',
    feed: {
      format: 'web-list',
      title: titleOf(page.document),
      entries: [...entries.values()].slice(0, settings.maxEntries ?? ENTRIES_MAX_DEFAULT),
      warnings: warnings.all,
    },
  };
}

function readItem(
  item: PageElement,
  page: ParsedPage,
  settings: WebListSettings,
  context: WebListContext,
  warnings: FetchWarnings,
): ParsedEntry | null {
  const link = settings.link === undefined ? firstLink(item) : selectFirst(item, settings.link);
  const href = link?.getAttribute('href') ?? link?.querySelector('a[href]')?.getAttribute('href');
  const url = href == null ? null : absoluteUrl(href, page.baseUrl);
  if (link === null || url === null) {
    warnings.add(fetchWarning('link-some', 'settings.link', settings.link ?? 'a[href]'));
    return null;
  }
  const title =
    settings.title === undefined ? titleOfLink(link) : (selectFirst(item, settings.title) ?? null);
  if (settings.title !== undefined && title === null) {
    warnings.add(fetchWarning('selector-some', 'settings.title', JSON.stringify(settings.title)));
  }
  return {
    id: null,
    url,
    title: title === null ? null : elementText(title),
    summary: selectText(item, settings.summary),
    content: null,
    author: selectText(item, settings.author),
    publishedAt: dateAt(
      item,
      settings,
      { ...settings, setting: 'settings.date' },
      context,
      warnings,
    ),
    updatedAt: null,
    language: null,
  };
}

type DateSettings = Pick<DetailSettings, 'date' | 'dateAttribute' | 'dateFormat'>;

/**
 * The date that `dates` selects inside `root`. `timeZone` is the list's configured zone; `setting`
 * is the setting's name for warnings.
 */
export function dateAt(
  root: PageElement,
  dates: DateSettings,
  { timeZone, setting }: Pick<WebListSettings, 'timeZone'> & { readonly setting: string },
  context: WebListContext,
  warnings: FetchWarnings,
): string | null {
  if (dates.date === undefined) return null;
  const element = selectFirst(root, dates.date);
  if (element === null) {
    warnings.add(fetchWarning('selector-some', setting, JSON.stringify(dates.date)));
    return null;
  }
  const attributes = dates.dateAttribute === undefined ? ['datetime'] : [dates.dateAttribute];
  const candidates = [
    ...attributes.map((name) => element.getAttribute(name) ?? ''),
    lineOf(element),
  ];
  const dateContext = {
    now: context.now,
    timeZone: timeZone ?? defaultTimeZone(context.language),
    order: dates.dateFormat ?? 'auto',
  } as const;
  for (const candidate of candidates) {
    const date = parseHumanDate(candidate, dateContext);
    if (date !== null) return date;
  }
  warnings.add(
    fetchWarning('date-unread', setting, JSON.stringify(candidates.at(-1)?.slice(0, 60))),
  );
  return null;
}

function failedResult(warning: FetchWarning): ReadListResult {
  return { kind: 'failed', warning };
}

/** The first match inside `root`; without one, `root` when `root` matches; otherwise null. */
export function selectFirst(root: PageElement, selector: string): PageElement | null {
  return root.querySelector(selector) ?? (root.matches(selector) ? root : null);
}

const selectorSettings = ['item', 'link', 'title', 'summary', 'author', 'date'] as const;

/** The first setting with an invalid selector; null when all are valid. */
function invalidSelectorWarning(settings: WebListSettings): FetchWarning | null {
  for (const setting of selectorSettings) {
    const selector = settings[setting];
    const problem = selector === undefined ? null : selectorErrorOf(selector);
    if (selector !== undefined && problem !== null) {
      return fetchWarning('selector-bad', `settings.${setting}`, JSON.stringify(selector), problem);
    }
  }
  return null;
}

function selectText(root: PageElement, selector: string | undefined): string | null {
  const element = selector === undefined ? null : selectFirst(root, selector);
  return element === null ? null : elementText(element);
}

function elementText(element: PageElement): string | null {
  return lineOf(element) || cleanLine(element.getAttribute('title') ?? '') || null;
}

function firstLink(item: PageElement): PageElement | null {
  if (item.matches('a[href]')) return item;
  return (
    item.querySelector('h1 a[href], h2 a[href], h3 a[href], h4 a[href]') ??
    item.querySelector('a[href]')
  );
}

/** A card that is one large link has its title in a heading. A plain link is its own title. */
function titleOfLink(link: PageElement): PageElement {
  return link.querySelector('h1, h2, h3, h4') ?? link;
}

function titleOf(document: PageDocument): string | null {
  const element = document.querySelector('head > title');
  return element === null ? null : cleanLine(textOf(element)) || null;
}
