// /api/v1/agent/latest and /search: recent items in Markdown.

import { z } from 'zod';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import type { PublicItem } from '../../publication/item.ts';
import { pageOf } from '../../publication/read-model/page.ts';
import type { TextQuery } from '../../publication/search/query.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { DATA_NOTE, fenceLines, formatAutolink, markdownResponse } from '../feeds/markdown.ts';
import { cacheControl } from '../responses/cache-control.ts';
import type { CachedResponse } from '../responses/cached-response.ts';
import { oneOf, readSearchText } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl } from '../wire-item.ts';

const windows = { '24h': 'the last 24 hours', '7d': 'the last 7 days' } as const;

const sharedParameters = {
  window: oneOf(['24h', '7d']).default('7d'),
  limit: wholeNumber(1, 30, 10),
};

const categoryParameter = ([first = 'none', ...others]: readonly string[]) =>
  oneOf([first, ...others]).optional();

export const agentLatestQuery = (categories: readonly string[]) =>
  z.strictObject({
    ...sharedParameters,
    mode: oneOf(['selected', 'all']).default('selected'),
    category: categoryParameter(categories),
  });

export const agentSearchQuery = (categories: readonly string[]) =>
  z.strictObject({
    ...sharedParameters,
    q: z.string({ error: 'is required' }),
    category: categoryParameter(categories),
  });

export function handleAgentLatest(context: ApiContext, request: PublicRequest): CachedResponse {
  const query = readStrictQuery(request.rawQuery, agentLatestQuery(context.categories));
  const { window, mode, limit, category } = query;
  const { items, hasMore } = readItems(context, { window, mode, limit, category, q: null });
  const heading = mode === 'selected' ? 'Selected news' : 'All items';
  const categoryText = category === undefined ? '' : `, category ${category}`;
  return markdownResponse(cacheControl.items, [
    `# ${context.site.name}: latest`,
    `${heading} of ${windows[window]}${categoryText}, newest first: ` +
      `${describeCount(items, hasMore)}. ` +
      DATA_NOTE,
    ...listItems(context, items),
  ]);
}

export function handleAgentSearch(context: ApiContext, request: PublicRequest): CachedResponse {
  const query = readStrictQuery(request.rawQuery, agentSearchQuery(context.categories));
  const q = readSearchText(query.q);
  const { window, limit, category } = query;
  const { items, hasMore } = readItems(context, { window, mode: 'all', limit, category, q });
  return markdownResponse(cacheControl.items, [
    `# ${context.site.name}: search`,
    fenceLines([['query', q.text]]),
    `Everything of ${windows[window]} in which every word occurs, newest first: ` +
      `${describeCount(items, hasMore)}. ${DATA_NOTE}`,
    ...listItems(context, items),
  ]);
}

type ItemSelection = {
  readonly window: '24h' | '7d';
  readonly mode: 'selected' | 'all';
  readonly limit: number;
  readonly category: string | undefined;
  readonly q: TextQuery | null;
};

function readItems(
  { publication, world }: ApiContext,
  { category, ...selection }: ItemSelection,
): { readonly items: readonly PublicItem[]; readonly hasMore: boolean } {
  const query = { ...selection, category: category ?? null, by: 'timeline', anchor: null } as const;
  const page = pageOf(publication.readModel(), query, world.clock.now());
  return page.kind === 'page' ? page : { items: [], hasMore: false };
}

const describeCount = ({ length }: readonly unknown[], hasMore: boolean) =>
  `${length} ${length === 1 ? 'item' : 'items'}${hasMore ? ', and there are more' : ''}`;

function listItems(context: ApiContext, items: readonly PublicItem[]): readonly string[] {
  if (items.length === 0) return ['Nothing. A longer window, or fewer words, may find more.'];
  return items.map((item, index) => `## ${index + 1}\n\n${itemText(context, item)}`);
}

function itemText({ site }: ApiContext, item: PublicItem): string {
  const facts = [
    item.publishedAt === null ? null : `Published: ${toWireTime(item.publishedAt)}`,
    `Discovered: ${toWireTime(item.discoveredAt)}`,
    item.category === null ? null : `Category: ${item.category}`,
    `Original: ${formatAutolink(item.originalUrl)}`,
    `Page: ${formatAutolink(itemPageUrl(site, item.id))}`,
    item.storyId === null
      ? null
      : `Story: ${formatAutolink(`${site.url}/api/v1/agent/stories/${item.storyId}`)}`,
  ];
  const data = fenceLines([
    ['title', item.title],
    ['original title', item.originalTitle],
    ['source', item.sourceName],
    ['summary', item.summary],
    ['why selected', item.reason],
  ]);
  return `${data}\n\n${listLines(facts)}`;
}

export const listLines = (lines: readonly (string | null)[]) =>
  lines.flatMap((line) => (line === null ? [] : [`- ${line}`])).join('\n');
