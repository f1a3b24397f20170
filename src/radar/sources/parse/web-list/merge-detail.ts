// Completes the entries of a web list: selects the entries that need their own page, the detail
// page, and merges it. The detail page only fills gaps.

import { lineOf } from '../../article/page-text.ts';
import { parsePage } from '../../article/parse-page.ts';
import { type FetchWarning, FetchWarnings, fetchWarning } from '../../fetch/fetch-warning.ts';
import type { DetailSettings, WebListSettings } from '../../source-settings.ts';
import type { ParsedEntry } from '../entry.ts';
import { dateAt, selectFirst, type WebListContext } from './read-web-list.ts';
import { selectorErrorOf } from './selector.ts';

/** Entries that lack a value which the settings' `detail` selectors can provide. */
export function entriesNeedingDetail(
  entries: readonly ParsedEntry[],
  settings: WebListSettings,
): readonly ParsedEntry[] {
  const { detail } = settings;
  if (detail === undefined) return [];
  return entries.filter(
    (entry) =>
      entry.url !== null &&
      ((detail.title !== undefined && entry.title === null) ||
        (detail.date !== undefined && entry.publishedAt === null) ||
        (detail.summary !== undefined && entry.summary === null) ||
        (detail.content !== undefined && entry.content === null) ||
        (detail.author !== undefined && entry.author === null)),
  );
}

export type DetailedEntry = {
  readonly entry: ParsedEntry;
  readonly warnings: readonly FetchWarning[];
};

/** `html` is the decoded page of the entry; `context.url` is its address. */
export function mergeDetail(
  entry: ParsedEntry,
  html: string,
  settings: WebListSettings,
  context: WebListContext,
): DetailedEntry {
  const { detail } = settings;
  if (detail === undefined) return { entry, warnings: [] };
  const invalidSelectors = invalidSelectorWarnings(detail);
  if (invalidSelectors.length > 0) return { entry, warnings: invalidSelectors };
  const root = parsePage(html, context.url).document.documentElement;
  const warnings = new FetchWarnings();
  const detailAt = (setting: 'title' | 'summary' | 'author' | 'content') => {
    const selector = detail[setting];
    if (selector === undefined) return null;
    const element = selectFirst(root, selector);
    if (element === null) {
      warnings.add(
        fetchWarning('selector-here', `settings.detail.${setting}`, JSON.stringify(selector)),
      );
      return null;
    }
    return setting === 'content' ? element.innerHTML : lineOf(element) || null;
  };
  const date = { timeZone: settings.timeZone, setting: 'settings.detail.date' };
  const publishedAt = entry.publishedAt ?? dateAt(root, detail, date, context, warnings);
  return {
    entry: {
      ...entry,
      title: entry.title ?? detailAt('title'),
      summary: entry.summary ?? detailAt('summary'),
      content: entry.content ?? detailAt('content'),
      author: entry.author ?? detailAt('author'),
      publishedAt,
    },
    warnings: warnings.all,
  };
}

const selectorSettings = ['title', 'date', 'summary', 'content', 'author'] as const;

function invalidSelectorWarnings(detail: DetailSettings): readonly FetchWarning[] {
  return selectorSettings.flatMap((setting) => {
    const selector = detail[setting];
    const problem = selector === undefined ? null : selectorErrorOf(selector);
    if (selector === undefined || problem === null) return [];
    return [
      fetchWarning('selector-bad', `settings.detail.${setting}`, JSON.stringify(selector), problem),
    ];
  });
}
