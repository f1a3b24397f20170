// Which links of a list are kept: those under its prefixes. Also the zone in which a page's bare
// dates are meant when the settings name none.
import { absoluteUrl } from '../../article/parse-page.ts';

type LinkFilters = {
  readonly linkPrefix?: string | readonly string[] | undefined;
  readonly linkExclude?: string | readonly string[] | undefined;
};

/** A prefix may be a path (`/news/`); it is then one of the page's own site. */
export function passesFilters(url: string, baseUrl: string, filters: LinkFilters): boolean {
  const prefixes = listOf(filters.linkPrefix);
  const isUnder = (prefix: string) => url.startsWith(absoluteUrl(prefix, baseUrl) ?? prefix);
  if (listOf(filters.linkExclude).some(isUnder)) return false;
  return prefixes.length === 0 || prefixes.some(isUnder);
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

/** Chinese publishers write Beijing time; others are read as UTC, at most half a day off. */
export function defaultTimeZone(language: string): string {
  return /^zh\b/i.test(language) ? 'Asia/Shanghai' : 'UTC';
}
