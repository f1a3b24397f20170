// Filters the links of a list by configured prefixes. Also provides the default time zone of dates
// on a page.
import { absoluteUrl } from '../../article/parse-page.ts';

type LinkFilters = {
  readonly linkPrefix?: string | readonly string[] | undefined;
  readonly linkExclude?: string | readonly string[] | undefined;
};

/** A prefix may be a path (`/news/`) on the page's own site. */
export function passesFilters(url: string, baseUrl: string, filters: LinkFilters): boolean {
  const prefixes = toList(filters.linkPrefix);
  const isUnder = (prefix: string) => url.startsWith(absoluteUrl(prefix, baseUrl) ?? prefix);
  if (toList(filters.linkExclude).some(isUnder)) return false;
  return prefixes.length === 0 || prefixes.some(isUnder);
}

function toList(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/**
 * Chinese publishers write Beijing time. Dates of other publishers are read as UTC, with an error
 * of at most half a day.
 */
export function defaultTimeZone(language: string): string {
  return /^zh\b/i.test(language) ? 'Asia/Shanghai' : 'UTC';
}
