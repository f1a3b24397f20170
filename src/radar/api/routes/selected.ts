// GET /api/v1/selected/snapshot and /changes, for mirrors. Both read the change log in the
// database.

import { z } from 'zod';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import { withinDatabaseTimeout } from '../../publication/await-database.ts';
import { readSelectedChanges, readSelectedSnapshot } from '../../publication/selected-set.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import {
  type CachedResponse,
  JSON_TYPE,
  jsonResponse,
  makeResponse,
} from '../responses/cached-response.ts';
import { readStrictQuery } from '../strict-query.ts';
import { oneOf } from './parameters.ts';

export const snapshotQuery = z.strictObject({
  fields: oneOf(['default', 'minimal']).optional(),
  limit: wholeNumber(1, 1000, 500),
  page: z.string().optional(),
});

export const changesQuery = z.strictObject({
  cursor: z.string().optional(),
  limit: wholeNumber(1, 100, 100),
});

export async function handleSnapshot(
  context: ApiContext,
  request: PublicRequest,
): Promise<CachedResponse> {
  const { world, publication } = context;
  const { fields, limit, page } = readStrictQuery(request.rawQuery, snapshotQuery);
  const snapshot = await withinDatabaseTimeout(
    world,
    readSelectedSnapshot(world, publication, { fields, limit, page }),
  );
  const content = {
    fields: snapshot.fields,
    count: snapshot.items.length,
    totalCount: snapshot.totalCount,
    hasMore: snapshot.nextPage !== null,
    items: snapshot.items.map((item) => context.items.renderMirrored(item, snapshot.fields)),
  };
  const { cursor, nextPage } = snapshot;
  const { items, ...counts } = content;
  const asOf = toWireTime(snapshot.asOf);
  return makeResponse({
    contentType: JSON_TYPE,
    cacheControl: cacheControl.snapshot,
    body: JSON.stringify({ schemaVersion: 1, asOf, cursor, ...counts, nextPage, items }),
    etagContent: JSON.stringify(content),
  });
}

export async function handleChanges(
  context: ApiContext,
  request: PublicRequest,
): Promise<CachedResponse> {
  const { world, publication } = context;
  const query = readStrictQuery(request.rawQuery, changesQuery);
  const { cursor, limit } = query;
  const page = await withinDatabaseTimeout(
    world,
    readSelectedChanges(world, publication, { cursor, limit }),
  );
  return jsonResponse(cacheControl.live, {
    schemaVersion: 1,
    fields: page.fields,
    cursor: page.cursor,
    count: page.changes.length,
    hasMore: page.hasMore,
    changes: page.changes.map(({ id, changedAt, item }) => ({
      op: item === null ? 'remove' : 'upsert',
      changedAt: toWireTime(changedAt),
      ...(item === null ? { id } : { item: context.items.renderMirrored(item, page.fields) }),
    })),
  });
}
