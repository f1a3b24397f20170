// `/feed.xml` and `/feed.json`: the selected items, or with parameters the items of a query. The
// parameters of an address have a fixed order, so each query has one address.

import { z } from 'zod';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { sourceKey } from '../../publication/find-source-name.ts';
import type { PublicItem } from '../../publication/item.ts';
import { type ItemPageQuery, pageOf } from '../../publication/read-model/page.ts';
import { hasLanguage } from '../../publication/read-model/story-rows.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { oneOf, readSearchText } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { feedMessages, feedTitle } from './feed-messages.ts';
import {
  feedAddresses,
  feedResponse,
  type ItemFeedFormat,
  itemEntry,
  TTL_MINUTES,
} from './item-feeds.ts';

/**
 * Maximum number of items that are read for one feed, before the filters by language, source and
 * score.
 */
const READ_MAX = 5_000;

type FeedQuery = z.output<ReturnType<typeof feedQuery>>;

const schemasByCategories = new WeakMap<readonly string[], ReturnType<typeof feedQuery>>();

export function feedQuery(categories: readonly string[]) {
  const [firstCategory = 'none', ...otherCategories] = categories;
  return z.strictObject({
    category: oneOf([firstCategory, ...otherCategories]).optional(),
    language: oneOf(['en', 'zh']).optional(),
    limit: wholeNumber(1, 100, 50),
    minScore: wholeNumber(0, 100, 0),
    mode: oneOf(['selected', 'all']).default('selected'),
    q: z.string().optional(),
    source: z.string().min(1, 'must not be empty').max(200, 'is too long').optional(),
  });
}

export function handleQueryFeed(
  format: ItemFeedFormat,
  context: ApiContext,
  { rawQuery }: PublicRequest,
): CachedResponse {
  const { site, categories, labels } = context;
  const schema = schemasByCategories.get(categories) ?? feedQuery(categories);
  schemasByCategories.set(categories, schema);
  const query = readStrictQuery(rawQuery, schema);
  const items = readMatchingItems(context, query);
  const messages = feedMessages(site);
  const canonicalParameters = canonicalizeQuery(query);
  const names = [
    query.q?.trim(),
    query.category && (labels[query.category] ?? query.category),
    query.source,
  ].filter((name) => name !== undefined);
  return feedResponse(context, format, {
    title: feedTitle(site, names.length > 0 ? names.join(' · ') : messages[query.mode]),
    description: canonicalParameters === '' ? messages.selectedAbout : messages.queryAbout,
    homePage: `${site.url}${homePath(query)}`,
    ...feedAddresses(site, `/feed${canonicalParameters === '' ? '' : `?${canonicalParameters}`}`),
    language: site.language,
    ttlMinutes: TTL_MINUTES,
    entries: items.map((item) => itemEntry(context, item)),
  });
}

const homePath = ({ q }: FeedQuery) =>
  q === undefined ? '/' : `/search?q=${encodeURIComponent(q)}`;

/** Parameters that differ from their defaults, in the order of their names. */
function canonicalizeQuery(query: FeedQuery): string {
  const defaults: Readonly<Record<string, string>> = {
    limit: '50',
    minScore: '0',
    mode: 'selected',
  };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const text = name === 'q' ? String(value).trim() : String(value);
    if (value !== undefined && defaults[name] !== text) parameters.set(name, text);
  }
  return parameters.toString();
}

function readMatchingItems(
  { publication, world }: ApiContext,
  query: FeedQuery,
): readonly PublicItem[] {
  const { mode, category = null, language, source, minScore, limit } = query;
  const isFiltered = language !== undefined || source !== undefined || minScore > 0;
  const request: ItemPageQuery = {
    mode,
    category,
    by: 'timeline',
    window: '7d',
    q: query.q === undefined ? null : readSearchText(query.q),
    limit: isFiltered ? READ_MAX : limit,
    anchor: null,
  };
  const page = pageOf(publication.readModel(), request, world.clock.now());
  const items = page.kind === 'page' ? page.items : [];
  const key = source === undefined ? null : sourceKey(source);
  return items
    .filter(
      (item) =>
        hasLanguage(item, language ?? null) &&
        (key === null || sourceKey(item.sourceName) === key) &&
        (minScore === 0 || (item.score ?? -1) >= minScore),
    )
    .slice(0, limit);
}
