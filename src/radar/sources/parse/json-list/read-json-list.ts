// Reads entries from a JSON document. The settings' paths locate the array and each entry's values.
// A path to a wrong value is reported with that value.

import { cleanLine } from '../../article/page-text.ts';
import { absoluteUrl } from '../../article/parse-page.ts';
import { FetchWarnings, fetchWarning } from '../../fetch/fetch-warning.ts';
import type { JsonListSettings } from '../../source-settings.ts';
import type { ParsedEntry } from '../entry.ts';
import { defaultTimeZone, passesFilters } from '../web-list/filter-links.ts';
import { parseHumanDate } from '../web-list/parse-human-date.ts';
import type { ReadListResult, WebListContext } from '../web-list/read-web-list.ts';
import { fillTemplate, valueAt } from './json-path.ts';

const ENTRIES_MAX_DEFAULT = 200;

/** `text` is the decoded document. The entries keep its order, and each address occurs once. */
export function readJsonList(
  text: string,
  settings: JsonListSettings,
  context: WebListContext,
): ReadListResult {
  const document = parseJson(text);
  if (document.kind === 'failed') return document;
  const items = valueAt(document.value, settings.items);
  if (!Array.isArray(items)) {
    const warning = fetchWarning(
      'json-no-list',
      'settings.items',
      settings.items,
      typeNameOf(items),
    );
    return { kind: 'failed', warning };
  }
  const warnings = new FetchWarnings();
  const entries = new Map<string, ParsedEntry>();
  for (const item of items) {
    const entry = readItem(item, settings, context, warnings);
    if (entry?.url == null || !passesFilters(entry.url, context.url, settings)) continue;
    if (!entries.has(entry.url)) entries.set(entry.url, entry);
  }
  const [firstWarning] = warnings.all;
  if (items.length > 0 && entries.size === 0 && firstWarning !== undefined) {
    return { kind: 'failed', warning: firstWarning };
  }
  return {
    kind: 'read',
    feed: {
      format: 'json-list',
      title: null,
      entries: [...entries.values()].slice(0, settings.maxEntries ?? ENTRIES_MAX_DEFAULT),
      warnings: warnings.all,
    },
  };
}

function parseJson(text: string) {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return { kind: 'value', value } as const;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', warning: fetchWarning('json-none', 'settings.url', reason) } as const;
  }
}

function readItem(
  item: unknown,
  settings: JsonListSettings,
  context: WebListContext,
  warnings: FetchWarnings,
): ParsedEntry | null {
  const url = urlOf(item, settings, context, warnings);
  if (url === null) return null;
  const textAt = (path: string | undefined) =>
    path === undefined ? null : textOf(valueAt(item, path));
  const title = textAt(settings.title);
  if (title === null) {
    const foundType = typeNameOf(valueAt(item, settings.title));
    warnings.add(fetchWarning('json-some', 'settings.title', settings.title, foundType));
  }
  return {
    id: textAt(settings.id),
    url,
    title: title === null ? null : cleanLine(title),
    summary: textAt(settings.summary),
    content: textAt(settings.content),
    author: textAt(settings.author),
    publishedAt: dateOf(item, 'date', settings, context, warnings),
    updatedAt: dateOf(item, 'updated', settings, context, warnings),
    language: null,
  };
}

function urlOf(
  item: unknown,
  settings: JsonListSettings,
  context: WebListContext,
  warnings: FetchWarnings,
): string | null {
  if (settings.urlTemplate !== undefined) {
    const fillResult = fillTemplate(settings.urlTemplate, item);
    if (fillResult.kind === 'url') return absoluteUrl(fillResult.url, context.url);
    warnings.add(fetchWarning('json-some', 'settings.urlTemplate', fillResult.path, 'missing'));
    return null;
  }
  const path = settings.link ?? '';
  const value = valueAt(item, path);
  const url = typeof value === 'string' && value !== '' ? absoluteUrl(value, context.url) : null;
  if (url === null)
    warnings.add(fetchWarning('json-some', 'settings.link', path, typeNameOf(value)));
  return url;
}

function dateOf(
  item: unknown,
  setting: 'date' | 'updated',
  settings: JsonListSettings,
  context: WebListContext,
  warnings: FetchWarnings,
): string | null {
  const path = settings[setting];
  if (path === undefined) return null;
  const value = valueAt(item, path);
  if (value === null || value === undefined || value === '') return null;
  const date = readDate(value, settings, context);
  if (date === null) {
    const format = settings.dateFormat ?? 'iso';
    const valueText = String(JSON.stringify(value)).slice(0, 60);
    warnings.add(fetchWarning('json-date', `settings.${setting}`, path, valueText, format));
  }
  return date;
}

function readDate(
  value: unknown,
  settings: JsonListSettings,
  context: WebListContext,
): string | null {
  const format = settings.dateFormat ?? 'iso';
  if (format === 'iso') {
    if (typeof value !== 'string') return null;
    const timeZone = settings.timeZone ?? defaultTimeZone(context.language);
    return parseHumanDate(value, { now: context.now, timeZone, order: 'auto' });
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  const time = Math.round(format === 'epoch-s' ? number * 1000 : number);
  // Seconds configured as milliseconds give dates in 1970. They are reported instead of published.
  if (time < Date.UTC(1980) || time > Date.UTC(2100)) return null;
  return new Date(time).toISOString();
}

/** Strings and numbers as text, lists of names joined; null when empty. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) {
    return (
      value
        .map((author) => textOf(author) ?? '')
        .filter((name) => name !== '')
        .join(', ') || null
    );
  }
  if (typeof value !== 'string') return null;
  return value.toWellFormed().normalize('NFC').trim() || null;
}

function typeNameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
