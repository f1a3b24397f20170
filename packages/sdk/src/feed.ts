// The public feed of a radar: news, ranking, stories, reports, and an exact copy of the selected
// set. It needs no key. Repeated requests use ETags.
import { isProblem } from './errors.ts';
import type {
  Daily,
  DailyEntry,
  DailyEnvelope,
  DailyIndex,
  HotTopicList,
  Item,
  ItemsPage,
  ListItemsQuery,
  Monthly,
  MonthlyEntry,
  Story,
  StoryEnvelope,
  Weekly,
  WeeklyEntry,
} from './feed-answers.ts';
import { type Mirror, type MirrorOptions, openMirror } from './mirror.ts';
import { addressOf, type ClientOptions, openSender } from './send.ts';

export type FeedOptions = ClientOptions & {
  /** Cache of responses with their ETags; by default the 200 most recently used, in memory. */
  readonly cache?: EtagCache;
};

export type CachedResponse = { readonly etag: string; readonly body: unknown };

/** The keys are URLs. A `Map` is a suitable cache. */
export type EtagCache = {
  get(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined>;
  set(url: string, response: CachedResponse): unknown;
};

/** Categories differ from radar to radar. */
export type ItemsQuery = Omit<ListItemsQuery, 'category'> & { readonly category?: string };

export type ReadOptions = { readonly signal?: AbortSignal };

export type Reports<Entry, Report> = {
  /** Newest first. */
  list(options?: ReadOptions & { readonly limit?: number }): Promise<readonly Entry[]>;
  latest(options?: ReadOptions): Promise<Report>;
  /** A day `2026-11-19`, an ISO week `2026-W47` or a month `2026-11`. */
  get(key: string, options?: ReadOptions): Promise<Report>;
};

export type Feed = {
  /** One page, as the API returns it. */
  itemsPage(query?: ItemsQuery, options?: ReadOptions): Promise<ItemsPage>;
  /**
   * Yields the items, newest first, and requests the next page when one is needed. The iteration
   * ends at the end of the window, also when the window moves during the iteration.
   */
  items(query?: ItemsQuery, options?: ReadOptions): AsyncGenerator<Item, void, undefined>;
  /** The current Top 10 with the time of the ranking. */
  hotTopics(options?: ReadOptions): Promise<HotTopicList>;
  /** For a merged story, returns its target, which has another `publicId`. */
  story(publicId: string, options?: ReadOptions): Promise<Story>;
  readonly dailies: Reports<DailyEntry, Daily>;
  readonly weeklies: Reports<WeeklyEntry, Weekly>;
  readonly monthlies: Reports<MonthlyEntry, Monthly>;
  /** An exact copy of the selected set in your own store. */
  mirror(options: MirrorOptions): Mirror;
};

const TIMEOUT_MS = 30_000;

export function createFeed(options: FeedOptions): Feed {
  const { baseUrl, cache = createRecentCache() } = options;
  const sender = openSender({ timeoutMs: TIMEOUT_MS, ...options });
  type ReadRequest = { readonly query?: object; readonly signal?: AbortSignal | undefined };
  const readUncached = async (path: string, { query = {}, signal }: ReadRequest) => {
    const url = addressOf(baseUrl, path, query as Record<string, string>);
    // Otherwise a browser would use its own cache, and a withdrawal would arrive minutes later.
    return (await sender.send({ method: 'GET', url, signal, mustRevalidate: true })).body;
  };
  const read = async (path: string, { query = {}, signal }: ReadRequest): Promise<unknown> => {
    const url = addressOf(baseUrl, path, query as Record<string, string>);
    const cached = await cache.get(url);
    const headers = cached === undefined ? {} : { 'if-none-match': cached.etag };
    const {
      status,
      headers: responseHeaders,
      body,
    } = await sender.send({ method: 'GET', url, headers, signal });
    if (status === 304 && cached !== undefined) return cached.body;
    const etag = responseHeaders.get('etag');
    if (etag !== null) await cache.set(url, { etag, body });
    return body;
  };
  const itemsPage: Feed['itemsPage'] = async (query = {}, { signal } = {}) =>
    (await read('/api/v1/items', { query, signal })) as ItemsPage;
  return {
    itemsPage,
    items: (query, options) => eachItem(itemsPage, query, options),
    hotTopics: async ({ signal } = {}) =>
      (await read('/api/v1/hot-topics', { signal })) as HotTopicList,
    story: async (publicId, { signal } = {}) => {
      const path = `/api/v1/stories/${encodeURIComponent(publicId)}`;
      return ((await read(path, { signal })) as StoryEnvelope).story;
    },
    dailies: reportsOf('/api/v1/dailies', read),
    weeklies: reportsOf('/api/v1/weeklies', read),
    monthlies: reportsOf('/api/v1/monthlies', read),
    mirror: (mirrorOptions) => openMirror(readUncached, mirrorOptions),
  };
}

type ReadPath = (
  path: string,
  options: { readonly query?: object; readonly signal?: AbortSignal | undefined },
) => Promise<unknown>;

function reportsOf<Entry, Report>(path: string, read: ReadPath): Reports<Entry, Report> {
  const readReport = async (key: string, { signal }: ReadOptions) => {
    const response = await read(`${path}/${encodeURIComponent(key)}`, { signal });
    return (response as Omit<DailyEnvelope, 'report'> & { readonly report: Report }).report;
  };
  return {
    list: async ({ limit, signal } = {}) => {
      const response = await read(path, { query: { limit }, signal });
      return (response as Omit<DailyIndex, 'items'> & { readonly items: readonly Entry[] }).items;
    },
    latest: (options = {}) => readReport('latest', options),
    get: (key, options = {}) => readReport(key, options),
  };
}

async function* eachItem(
  readPage: Feed['itemsPage'],
  query: ItemsQuery = {},
  options: ReadOptions = {},
): AsyncGenerator<Item, void, undefined> {
  let page: ItemsPage | null = await readPage(query, options);
  while (page !== null) {
    yield* page.items;
    const cursor: string | null = page.page.nextCursor;
    page =
      cursor === null
        ? null
        : await readPage({ ...query, cursor }, options).catch(endAtExpiredCursor);
  }
}

/** Ends the iteration at an expired cursor: all further items are older than the window. */
function endAtExpiredCursor(error: unknown): null {
  if (isProblem(error, 'invalid_cursor')) return null;
  throw error;
}

const CACHED_MAX = 200;

/** The keys of the map are in order of their last use. */
function createRecentCache(): EtagCache {
  const cached = new Map<string, CachedResponse>();
  const set = (url: string, response: CachedResponse) => {
    cached.delete(url);
    cached.set(url, response);
    const [oldest] = cached.keys();
    if (cached.size > CACHED_MAX && oldest !== undefined) cached.delete(oldest);
  };
  return {
    get: (url) => {
      const response = cached.get(url);
      if (response !== undefined) set(url, response);
      return response;
    },
    set,
  };
}
