// Fetches the pages behind entries of a web list. It obeys robots.txt, limits pages per fetch, and
// stops when the host is overloaded or unreachable.
import type { Robots } from '../../../kernel/net/robots.ts';
import type { World } from '../../../kernel/world.ts';
import type { StoredSource } from '../../../store/radar/sources/sources.ts';
import { decodeText } from '../parse/decode-text.ts';
import type { ParsedEntry } from '../parse/entry.ts';
import { mergeDetail } from '../parse/web-list/merge-detail.ts';
import type { WebListSettings } from '../source-settings.ts';
import { type FetchWarning, FetchWarnings, fetchWarning, nestWarning } from './fetch-warning.ts';
import { networkReachOf, robotsWarning } from './request-source.ts';

const PAGES_PER_FETCH = 20;
/** A fetch job ends after five minutes, and a site may require one minute between two pages. */
const TIME_LIMIT_MS = 120_000;
const PAGE_TIMEOUT_MS = 15_000;
const PAGE_MAX_BYTES = 4 * 1024 * 1024;

export type DetailPages = {
  /** The list's entry → the same entry completed from its page. */
  readonly completedEntries: ReadonlyMap<ParsedEntry, ParsedEntry>;
  /** Entries for the next fetch. */
  readonly deferredEntries: ReadonlySet<ParsedEntry>;
  readonly warnings: readonly FetchWarning[];
};

export type PageSource = Pick<StoredSource, 'language' | 'private_hosts' | 'proxy'>;

/**
 * An entry whose page is unavailable keeps the data of the list. Entries beyond the limits are
 * deferred.
 */
export async function fetchDetailPages(
  world: World,
  robots: Robots,
  list: { readonly settings: WebListSettings; readonly source: PageSource },
  entries: readonly ParsedEntry[],
): Promise<DetailPages> {
  const completedEntries = new Map<ParsedEntry, ParsedEntry>();
  const warnings = new FetchWarnings();
  const stopAt = world.clock.now() + TIME_LIMIT_MS;
  let requestedPages = 0;
  for (const entry of entries) {
    if (requestedPages >= PAGES_PER_FETCH || world.clock.now() > stopAt) break;
    requestedPages += 1;
    const page = await fetchPage(world, robots, list.source, entry.url ?? '');
    if (page.kind === 'page') {
      const { language } = list.source;
      const context = { url: page.url, now: world.clock.now(), language };
      const mergeResult = mergeDetail(entry, page.html, list.settings, context);
      completedEntries.set(entry, mergeResult.entry);
      for (const warning of mergeResult.warnings) warnings.add(warning);
    } else {
      warnings.add(nestWarning('page', page.warning));
      if (page.kind === 'back_off') break;
    }
  }
  return {
    completedEntries,
    deferredEntries: new Set(entries.slice(requestedPages)),
    warnings: warnings.all,
  };
}

type PageResult =
  | { readonly kind: 'page'; readonly html: string; readonly url: string }
  | { readonly kind: 'unavailable' | 'back_off'; readonly warning: FetchWarning };

async function fetchPage(world: World, robots: Robots, source: PageSource, url: string) {
  const networkReach = networkReachOf(source);
  const permission = await robots.isAllowed(url, networkReach);
  const { isAllowed, crawlDelayMs } = permission;
  if (!isAllowed)
    return { kind: 'unavailable', warning: robotsWarning(permission, url) } satisfies PageResult;
  const outcome = await world.net.request({
    url,
    headers: { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' },
    timeoutMs: PAGE_TIMEOUT_MS,
    maxBytes: PAGE_MAX_BYTES,
    ...(crawlDelayMs !== null && { gapMs: crawlDelayMs }),
    ...networkReach,
  });
  if (outcome.kind === 'failed') {
    const warning = fetchWarning('net', outcome.reason, outcome.message);
    return { kind: 'back_off', warning } satisfies PageResult;
  }
  const { status, body, headers } = outcome;
  if (status !== 200) {
    const kind = status === 429 || status >= 500 ? 'back_off' : 'unavailable';
    return { kind, warning: fetchWarning('page-status', url, String(status)) } satisfies PageResult;
  }
  const html = decodeText(body, headers['content-type'] ?? null).text;
  return { kind: 'page', html, url: outcome.url } satisfies PageResult;
}
