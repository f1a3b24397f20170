// A list on a web page as entries: the settings' selectors say where each entry, its link, its
// title and its date stand. A page on which nothing is found is a failure, not an empty list.

import type { PageDocument, PageElement } from '../../article/dom.ts';
import { lineOf, textOf, tidyLine } from '../../article/page-text.ts';
import { absoluteUrl, type Page, parsePage } from '../../article/parse-page.ts';
import { type Note, Notes, note } from '../../fetch/fetch-warning.ts';
import type { DetailSettings, WebListSettings } from '../../source-settings.ts';
import type { Entry, Reading } from '../entry.ts';
import { defaultTimeZone, passesFilters } from './filter-links.ts';
import { parseHumanDate } from './parse-human-date.ts';
import { selectorFault } from './selector.ts';

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
  /** It names the setting and what it met. */
  | { readonly kind: 'failed'; readonly note: Note };

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
    return failure(note('selector-none', 'settings.item', JSON.stringify(settings.item)));
  }
  const warnings = new Notes();
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
  if (entries.size === 0) warnings.add(note('all-filtered'));
  return {
    kind: 'read',
    reading: {
      format: 'web-list',
      title: titleOf(page.document),
      entries: [...entries.values()].slice(0, settings.maxEntries ?? defaultMaxEntries),
      warnings: warnings.all,
    },
  };
}

function readItem(
  item: PageElement,
  page: Page,
  settings: WebListSettings,
  context: ListContext,
  warnings: Notes,
): Entry | null {
  const link = settings.link === undefined ? firstLink(item) : pick(item, settings.link);
  const href = link?.getAttribute('href') ?? link?.querySelector('a[href]')?.getAttribute('href');
  const url = href == null ? null : absoluteUrl(href, page.baseUrl);
  if (link === null || url === null) {
    warnings.add(note('link-some', 'settings.link', settings.link ?? 'a[href]'));
    return null;
  }
  const title =
    settings.title === undefined ? titleOfLink(link) : (pick(item, settings.title) ?? null);
  if (settings.title !== undefined && title === null) {
    warnings.add(note('selector-some', 'settings.title', JSON.stringify(settings.title)));
  }
  return {
    id: null,
    url,
    title: title === null ? null : text(title),
    summary: textAt(item, settings.summary),
    content: null,
    author: textAt(item, settings.author),
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

/** The date that `dates` selects inside `root`; `list` gives the zone, `setting` its name. */
export function dateAt(
  root: PageElement,
  dates: DateSettings,
  { timeZone, setting }: Pick<WebListSettings, 'timeZone'> & { readonly setting: string },
  context: ListContext,
  warnings: Notes,
): string | null {
  if (dates.date === undefined) return null;
  const element = pick(root, dates.date);
  if (element === null) {
    warnings.add(note('selector-some', setting, JSON.stringify(dates.date)));
    return null;
  }
  const attributes = dates.dateAttribute === undefined ? ['datetime'] : [dates.dateAttribute];
  const said = [...attributes.map((name) => element.getAttribute(name) ?? ''), lineOf(element)];
  const where = {
    now: context.now,
    timeZone: timeZone ?? defaultTimeZone(context.language),
    order: dates.dateFormat ?? 'auto',
  } as const;
  for (const candidate of said) {
    const date = parseHumanDate(candidate, where);
    if (date !== null) return date;
  }
  warnings.add(note('date-unread', setting, JSON.stringify(said.at(-1)?.slice(0, 60))));
  return null;
}

function failure(what: Note): ListOutcome {
  return { kind: 'failed', note: what };
}

/** The first match in `root`, or `root` itself when it matches and nothing inside does. */
export function pick(root: PageElement, selector: string): PageElement | null {
  return root.querySelector(selector) ?? (root.matches(selector) ? root : null);
}

const selectorSettings = ['item', 'link', 'title', 'summary', 'author', 'date'] as const;

/** The first setting whose selector is none, named; null when all can be used. */
function badSelector(settings: WebListSettings): Note | null {
  for (const setting of selectorSettings) {
    const selector = settings[setting];
    const why = selector === undefined ? null : selectorFault(selector);
    if (selector !== undefined && why !== null) {
      return note('selector-bad', `settings.${setting}`, JSON.stringify(selector), why);
    }
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
