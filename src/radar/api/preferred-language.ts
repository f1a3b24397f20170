// The item language that a reader chose, stored in a cookie. It applies to lists whose address
// names no language. The address is rewritten, so each language has its own cache entry.

/** Pages with a filter by language. */
const filteredPaths = new Set(['/', '/latest', '/all', '/hot', '/search', '/disagreements']);
const cookiePattern = /(?:^|;\s*)language=(en|zh)(?:;|$)/;

/** `url`: path and query of a request. */
export function withPreferredLanguage(url: string, cookie: string | undefined): string {
  const language = cookie === undefined ? undefined : cookiePattern.exec(cookie)?.[1];
  if (language === undefined) return url;
  const [path = '', query = ''] = url.split('?');
  if (!filteredPaths.has(path) || /(?:^|&)language=/.test(query)) return url;
  return `${path}?${query === '' ? '' : `${query}&`}language=${language}`;
}
