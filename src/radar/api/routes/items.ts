// GET /api/v1/items: recent items from the read model.

import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { openAnchor, sealAnchor } from '../../publication/read-model/item-cursor.ts';
import { pageOf } from '../../publication/read-model/page.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, JSON_TYPE, makeResponse } from '../responses/cached-response.ts';
import { readStrictQuery } from '../strict-query.ts';
import { oneOf, readSearchText } from './parameters.ts';

type ItemsQuery = ReturnType<typeof makeItemsQuery>;

const schemas = new WeakMap<readonly string[], ItemsQuery>();

/** Created once per radar, because building a schema takes several times longer than using it. */
export function itemsQuery(categories: readonly string[]): ItemsQuery {
  const cachedQuery = schemas.get(categories) ?? makeItemsQuery(categories);
  schemas.set(categories, cachedQuery);
  return cachedQuery;
}

function makeItemsQuery(categories: readonly string[]) {
  const [firstCategory = 'none', ...otherCategories] = categories;
  return z.strictObject({
    mode: oneOf(['selected', 'all']).default('selected'),
    category: oneOf([firstCategory, ...otherCategories]).optional(),
    window: oneOf(['24h', '7d']).default('7d'),
    by: oneOf(['timeline', 'published']).default('timeline'),
    q: z.string().optional(),
    limit: wholeNumber(1, 100, 50),
    cursor: z.string().optional(),
  });
}

const ordering = { timeline: 'timelineDesc', published: 'publishedAtDesc' } as const;

export function handleItems(context: ApiContext, request: PublicRequest): CachedResponse {
  const { publication, world } = context;
  const query = readStrictQuery(request.rawQuery, itemsQuery(context.categories));
  const { mode, window, by, limit } = query;
  const category = query.category ?? null;
  const q = query.q === undefined ? null : readSearchText(query.q);
  const scope = { mode, category, window, by, q };
  const anchor = anchorOf(context, scope, query.cursor);
  const page = pageOf(publication.readModel(), { ...scope, limit, anchor }, world.clock.now());
  if (page.kind === 'anchor_expired') throw expiredCursorFault();
  const interpretedQuery = {
    mode,
    category,
    window,
    q: q?.text ?? null,
    by,
    ordering: ordering[by],
  };
  const nextCursor =
    page.nextAnchor && sealAnchor(publication.cursorSecret, scope, page.nextAnchor);
  const count = page.items.length;
  const head = `{"schemaVersion":1,"query":${JSON.stringify(interpretedQuery)},"items":[`;
  const tail = `],"page":${JSON.stringify({ count, hasMore: page.hasMore, nextCursor })}}`;
  const { body, etagContent } = context.items.renderPage(head, page.items, tail);
  return makeResponse({
    contentType: JSON_TYPE,
    cacheControl: cacheControl.items,
    body,
    etagContent,
  });
}

function anchorOf(
  { publication }: ApiContext,
  scope: Parameters<typeof openAnchor>[1],
  cursor: string | undefined,
) {
  if (cursor === undefined) return null;
  const anchor = openAnchor(publication.cursorSecret, scope, cursor);
  if (anchor !== null) return anchor;
  throw new Fault(
    'invalid_cursor',
    'This cursor is invalid, or belongs to another query. Start from the first page.',
  );
}

const expiredCursorFault = () =>
  new Fault(
    'invalid_cursor',
    'The window moved past this cursor. Start again from the first page.',
  );
