// The second step of a web list whose entries say too little: which of them need their own page,
// and what that page adds. What the list said stays; the detail page only fills gaps.

import { lineOf } from '../../article/page-text.ts';
import { parsePage } from '../../article/parse-page.ts';
import { type Note, Notes, note } from '../../fetch/fetch-warning.ts';
import type { DetailSettings, WebListSettings } from '../../source-settings.ts';
import type { Entry } from '../entry.ts';
import { dateAt, type ListContext, pick } from './read-web-list.ts';
import { selectorFault } from './selector.ts';

/** Entries that lack something which the settings' `detail` can give. */
export function entriesNeedingDetail(
  entries: readonly Entry[],
  settings: WebListSettings,
): readonly Entry[] {
  const { detail } = settings;
  if (detail === undefined) return [];
  return entries.filter(
    (e) =>
      e.url !== null &&
      ((detail.title !== undefined && e.title === null) ||
        (detail.date !== undefined && e.publishedAt === null) ||
        (detail.summary !== undefined && e.summary === null) ||
        (detail.content !== undefined && e.content === null) ||
        (detail.author !== undefined && e.author === null)),
  );
}

export type DetailedEntry = { readonly entry: Entry; readonly warnings: readonly Note[] };

/** `html` is the entry's own page, decoded; `context.url` is that page's address. */
export function mergeDetail(
  entry: Entry,
  html: string,
  settings: WebListSettings,
  context: ListContext,
): DetailedEntry {
  const { detail } = settings;
  if (detail === undefined) return { entry, warnings: [] };
  const bad = badSelectors(detail);
  if (bad.length > 0) return { entry, warnings: bad };
  const root = parsePage(html, context.url).document.documentElement;
  const warnings = new Notes();
  const at = (setting: 'title' | 'summary' | 'author' | 'content') => {
    const selector = detail[setting];
    if (selector === undefined) return null;
    const element = pick(root, selector);
    if (element === null) {
      warnings.add(note('selector-here', `settings.detail.${setting}`, JSON.stringify(selector)));
      return null;
    }
    return setting === 'content' ? element.innerHTML : lineOf(element) || null;
  };
  const date = { timeZone: settings.timeZone, setting: 'settings.detail.date' };
  const publishedAt = entry.publishedAt ?? dateAt(root, detail, date, context, warnings);
  return {
    entry: {
      ...entry,
      title: entry.title ?? at('title'),
      summary: entry.summary ?? at('summary'),
      content: entry.content ?? at('content'),
      author: entry.author ?? at('author'),
      publishedAt,
    },
    warnings: warnings.all,
  };
}

const selectorSettings = ['title', 'date', 'summary', 'content', 'author'] as const;

function badSelectors(detail: DetailSettings): readonly Note[] {
  return selectorSettings.flatMap((setting) => {
    const selector = detail[setting];
    const why = selector === undefined ? null : selectorFault(selector);
    if (selector === undefined || why === null) return [];
    return [note('selector-bad', `settings.detail.${setting}`, JSON.stringify(selector), why)];
  });
}
