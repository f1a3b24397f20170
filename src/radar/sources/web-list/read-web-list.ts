// A list on a web page as entries: the settings' selectors say where each entry, its link, its
// title and its date stand. A page on which nothing is found is a failure, not an empty list.

import type { PageDocument, PageElement } from '../article/dom.ts';
import { lineOf, textOf, tidyLine } from '../article/page-text.ts';
import { absoluteUrl, type Page, parsePage } from '../article/parse-page.ts';
import type { Entry, Reading } from '../entry.ts';
import type { DetailSettings, WebListSettings } from '../source-settings.ts';
import { defaultTimeZone, passesFilters } from './filter-links.ts';
import { parseHumanDate } from './parse-human-date.ts';
import { selectorProblem } from './selector.ts';

export type ListContext = {
  /** Where the document came from, after redirects. */
  readonly url: string;
  /** Epoch milliseconds of the read. */
  readonly now: number;
  /** The source's language, BCP 47. */
  readonly language: string;
};

export type ListOutcome =
  | { readonly kind: 'read'; readonly reading: Reading }
  /** One line that names the setting and what it met. */
  | { readonly kind: 'failed'; readonly reason: string };

const defaultMaxEntries = 200;

/** `html` is the page's text, decoded. Entries are in the page's order, each address once. */
export function readWebList(
  html: string,
  settings: WebListSettings,
  context: ListContext,
): ListOutcome {
  const page = parsePage(html, context.url);
  const bad = badSelector(settings);
  if (bad !== null) return failure(bad);
  const items = [...page.document.querySelectorAll(settings.item)];
  if (items.length === 0) {
    return failure(`settings.item: ${JSON.stringify(settings.item)} matches nothing on the page`);
  }
  const warnings = new Set<string>();
  const entries = new Map<string, Entry>();
  for (const item of items) {
    const entry = readItem(item, page, settings, context, warnings);
    if (entry?.url == null || !passesFilters(entry.url, page.baseUrl, settings)) continue;
    const earlier = entries.get(entry.url);
    // A picture and a headline often link to the same page: the one with the title counts.
    if (earlier === undefined || (earlier.title === null && entry.title !== null)) {
      entries.set(entry.url, entry);
    }
  }
  if (entries.size === 0) warnings.add('no item on the page has an address that the filters keep');
  return {
    kind: 'read',
    reading: {
      format: 'web-list',
      title: titleOf(page.document),
      entries: [...entries.values()].slice(0, settings.maxEntries ?? defaultMaxEntries),
      warnings: [...warnings],
    },
  };
}

function readItem(
  item: PageElement,
  page: Page,
  settings: WebListSettings,
  context: ListContext,
  warnings: Set<string>,
): Entry | null {
  const link = settings.link === undefined ? firstLink(item) : pick(item, settings.link);
  const href = link?.getAttribute('href') ?? link?.querySelector('a[href]')?.getAttribute('href');
  const url = href == null ? null : absoluteUrl(href, page.baseUrl);
  if (link === null || url === null) {
    warnings.add(`settings.link: ${settings.link ?? 'a[href]'} has no address in some items`);
    return null;
  }
  const title =
    settings.title === undefined ? titleOfLink(link) : (pick(item, settings.title) ?? null);
  if (settings.title !== undefined && title === null) {
    warnings.add(`settings.title: ${JSON.stringify(settings.title)} matches nothing in some items`);
  }
  return {
    id: null,
    url,
    title: title === null ? null : text(title),
    summary: textAt(item, settings.summary),
    content: null,
    author: textAt(item, settings.author),
    publishedAt: dateAt(item, settings, settings, context, warnings),
    updatedAt: null,
    language: null,
  };
}

type DateSettings = Pick<DetailSettings, 'date' | 'dateAttribute' | 'dateFormat'>;

/** The date that `dates` selects inside `root`; `list` gives the zone. */
export function dateAt(
  root: PageElement,
  dates: DateSettings,
  list: Pick<WebListSettings, 'timeZone'>,
  context: ListContext,
  warnings: Set<string>,
): string | null {
  if (dates.date === undefined) return null;
  const element = pick(root, dates.date);
  if (element === null) {
    warnings.add(`settings.date: ${JSON.stringify(dates.date)} matches nothing in some items`);
    return null;
  }
  const attributes = dates.dateAttribute === undefined ? ['datetime'] : [dates.dateAttribute];
  const said = [...attributes.map((name) => element.getAttribute(name) ?? ''), lineOf(element)];
  const where = {
    now: context.now,
    timeZone: list.timeZone ?? defaultTimeZone(context.language),
    order: dates.dateFormat ?? 'auto',
  } as const;
  for (const candidate of said) {
    const date = parseHumanDate(candidate, where);
    if (date !== null) return date;
  }
  warnings.add(`settings.date: cannot read ${JSON.stringify(said.at(-1)?.slice(0, 60))}`);
  return null;
}

function failure(reason: string): ListOutcome {
  return { kind: 'failed', reason };
}

/** The first match in `root`, or `root` itself when it matches and nothing inside does. */
export function pick(root: PageElement, selector: string): PageElement | null {
  return root.querySelector(selector) ?? (root.matches(selector) ? root : null);
}

const selectorSettings = ['item', 'link', 'title', 'summary', 'author', 'date'] as const;

/** The first setting whose selector is none, named; null when all can be used. */
function badSelector(settings: WebListSettings): string | null {
  for (const setting of selectorSettings) {
    const selector = settings[setting];
    const problem = selector === undefined ? null : selectorProblem(selector);
    if (problem !== null) return `settings.${setting}: ${problem}`;
  }
  return null;
}

function textAt(root: PageElement, selector: string | undefined): string | null {
  const element = selector === undefined ? null : pick(root, selector);
  return element === null ? null : text(element);
}

function text(element: PageElement): string | null {
  return lineOf(element) || tidyLine(element.getAttribute('title') ?? '') || null;
}

function firstLink(item: PageElement): PageElement | null {
  if (item.matches('a[href]')) return item;
  return (
    item.querySelector('h1 a[href], h2 a[href], h3 a[href], h4 a[href]') ??
    item.querySelector('a[href]')
  );
}

/** A card that is one big link holds its title in a heading; a plain link is its own title. */
function titleOfLink(link: PageElement): PageElement {
  return link.querySelector('h1, h2, h3, h4') ?? link;
}

function titleOf(document: PageDocument): string | null {
  const element = document.querySelector('head > title');
  return element === null ? null : tidyLine(textOf(element)) || null;
}
