// Sends queries to search engines in the format of each kind, and converts their results to common
// rows in the engine's order.
import { z } from 'zod';
import { plainText } from '../../../kernel/text/text.ts';
import type { ProviderFailure, ProviderHealth } from '../capability.ts';
import { upstreamError } from '../provider-failures.ts';
import { openProvider, type ProviderRequest } from '../providers/provider.ts';
import type { SearchConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';

export type SearchResult = {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  /** RFC 3339; null when the engine gives no exact time with a zone. */
  readonly published_at: string | null;
  /** The publisher's name. */
  readonly source: string | null;
};

export type SearchInput = {
  readonly query: string;
  /** Results of one page. */
  readonly limit: number;
  /** Page number from 1. */
  readonly page: number;
};

export type SearchProvider = {
  readonly name: string;
  search(
    signal: AbortSignal,
    input: SearchInput,
  ): Promise<
    { readonly kind: 'found'; readonly results: readonly SearchResult[] } | ProviderFailure
  >;
  health(): ProviderHealth;
};

type ApiDialect = {
  headers(key: string): Readonly<Record<string, string>>;
  requestFor(input: SearchInput): Omit<ProviderRequest, 'signal'>;
  readonly schema: z.ZodType<readonly ResultRow[]>;
  /**
   * Filter for conditions that the engine's query language does not support. Default: keeps all
   * rows.
   */
  matches?(row: ResultRow, input: SearchInput): boolean;
};

type ResultRow = Omit<SearchResult, 'url'> & { readonly url: string | null };

/** The address of a row; null skips rows that are no web pages (magnet:, file:). */
const urlField = z
  .string()
  .transform((url) => (/^https?:/i.test(url) && URL.canParse(url) ? url : null));
const textField = z
  .string()
  .nullish()
  .transform((text) => plainText(text ?? ''));

const time = z
  .string()
  .nullish()
  .transform((text) => {
    // Longer text is no time, and parsing it would take long.
    const timeText = text && text.length <= 64 ? text : '';
    const epochMs = /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(timeText) ? Date.parse(timeText) : Number.NaN;
    return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString();
  });

const hostOf = (url: string | null) => URL.parse(url ?? '')?.hostname.replace(/^www\./, '') ?? null;

const searxng: ApiDialect = {
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  requestFor: ({ query, page }) => ({
    path: '/search',
    query: { q: query, format: 'json', pageno: String(page) },
  }),
  schema: z
    .object({
      results: z.array(
        z.object({ title: textField, url: urlField, content: textField, publishedDate: time }),
      ),
    })
    .transform(({ results }) =>
      results.map(({ title, url, content, publishedDate }) => {
        return { title, url, snippet: content, published_at: publishedDate, source: hostOf(url) };
      }),
    ),
};

const brave: ApiDialect = {
  headers: (key) => ({ 'x-subscription-token': key }),
  requestFor: ({ query, limit, page }) => ({
    path: '/res/v1/web/search',
    // `offset` counts pages; its maximum is 9.
    query: { q: query, count: String(limit), offset: String(Math.min(page - 1, 9)) },
  }),
  // `type` is required, because otherwise any object would count as an empty result.
  schema: z
    .object({
      type: z.literal('search'),
      web: z
        .object({
          results: z.array(
            z.object({ title: textField, url: urlField, description: textField, page_age: time }),
          ),
        })
        .nullish(),
    })
    .transform(({ web }) =>
      (web?.results ?? []).map(({ title, url, description, page_age }) => {
        return { title, url, snippet: description, published_at: page_age, source: hostOf(url) };
      }),
    ),
};

const tavily: ApiDialect = {
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  // The engine has no pages: the request covers all rows up to the requested page, at most twenty.
  requestFor: ({ query, limit, page }) => ({
    path: '/search',
    method: 'POST' as const,
    isRepeatable: true,
    json: { query, max_results: Math.min(limit * page, 20) },
  }),
  schema: z
    .object({
      results: z.array(
        z.object({ title: textField, url: urlField, content: textField, published_date: time }),
      ),
    })
    .transform(({ results }) =>
      results.map(({ title, url, content, published_date }) => {
        return { title, url, snippet: content, published_at: published_date, source: hostOf(url) };
      }),
    ),
};

/**
 * The radar's search accepts 2 to 200 code points. For a shorter keyword, the newest items are
 * requested and filtered here.
 */
const isShort = ({ query }: SearchInput) => [...query].length < 2;

/** This installation's radar through its public API. The results cover seven days. */
const radar: ApiDialect = {
  headers: () => ({}),
  requestFor: (input) => ({
    path: '/api/v1/items',
    query: {
      mode: 'all',
      window: '7d',
      ...(isShort(input)
        ? { limit: '100' }
        : {
            q: [...input.query].slice(0, 200).join(''),
            limit: String(Math.min(input.limit * input.page, 100)),
          }),
    },
  }),
  matches: ({ title, snippet }, input) =>
    !isShort(input) || `${title} ${snippet}`.toLowerCase().includes(input.query.toLowerCase()),
  schema: z
    .object({
      items: z.array(
        z.object({
          title: textField,
          summary: textField,
          links: z.object({ original: urlField }),
          publishedAt: time,
          source: z.object({ name: z.string() }),
        }),
      ),
    })
    .transform(({ items }) =>
      items.map(({ title, summary, links, publishedAt, source }) => ({
        title,
        url: links.original,
        snippet: summary,
        published_at: publishedAt,
        source: source.name,
      })),
    ),
};

const dialects = { searxng, brave, tavily, radar } as const;
/** Engines that return all rows up to the requested page. This file selects the page. */
const enginesWithoutPages: readonly SearchConfig['kind'][] = ['tavily', 'radar'];

/**
 * A single row may lack a title or a web address. When every row lacks the same field, the format
 * has changed.
 */
function missingField(rows: readonly ResultRow[]): string | null {
  if (rows.length === 0) return null;
  if (rows.every(({ url }) => url === null)) return 'field url: no row has a web address';
  return rows.every(({ title }) => title === '') ? 'field title: no row has a title' : null;
}

export function openSearchProvider(world: ProviderWorld, config: SearchConfig): SearchProvider {
  const dialect: ApiDialect = dialects[config.kind];
  const provider = openProvider(world, {
    name: config.kind,
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    headers: config.key === undefined ? {} : dialect.headers(config.key),
  });
  return {
    name: config.kind,
    search: async (signal, input) => {
      const response = await provider.read(
        { ...dialect.requestFor(input), signal },
        dialect.schema,
      );
      if (response.kind === 'failed') return response;
      if (response.kind === 'absent')
        return upstreamError(`${config.kind} is not at ${config.url}`);
      if (response.kind === 'refused')
        return upstreamError(`${config.kind} refused: ${response.status}`);
      const missing = missingField(response.value);
      if (missing !== null)
        return provider.reportMalformed(dialect.requestFor(input).path, missing);
      const hasPages = !enginesWithoutPages.includes(config.kind);
      const firstIndex = hasPages ? 0 : (input.page - 1) * input.limit;
      const results = response.value.flatMap((row) => {
        const { url } = row;
        return url === null || dialect.matches?.(row, input) === false ? [] : { ...row, url };
      });
      return { kind: 'found', results: results.slice(firstIndex, firstIndex + input.limit) };
    },
    health: provider.health,
  };
}
