// The report endpoints: indexes, the latest and single reports, daily, weekly and monthly.

import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import { isDay, isMonth, isWeek } from '../../../kernel/time/calendar.ts';
import { readStoriesOfEntries } from '../../publication/documents/entry-stories.ts';
import { findDocument, findReportNeighbours } from '../../publication/documents/find-document.ts';
import { newestDocuments, type PublicDocument } from '../../publication/read-model/documents.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { unknownPathFault } from '../problem.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, jsonResponse } from '../responses/cached-response.ts';
import { invalidQueryFault, readStrictQuery } from '../strict-query.ts';
import { wireReport, wireReportEntry } from '../wire-report.ts';
import { noParameters } from './parameters.ts';

type DocumentName = 'daily' | 'weekly' | 'monthly';

export type ReportRouteKind = {
  readonly document: DocumentName;
  readonly path: 'dailies' | 'weeklies' | 'monthlies';
  readonly key: 'date' | 'week' | 'month';
  readonly limitMax: number;
  readonly limitDefault: number;
  readonly indexCaching: string;
  readonly isKey: (text: string) => boolean;
  readonly keyForm: string;
};

export const reportKinds: readonly ReportRouteKind[] = [
  {
    document: 'daily',
    path: 'dailies',
    key: 'date',
    limitMax: 180,
    limitDefault: 30,
    indexCaching: cacheControl.items,
    isKey: isDay,
    keyForm: 'a calendar date, YYYY-MM-DD',
  },
  {
    document: 'weekly',
    path: 'weeklies',
    key: 'week',
    limitMax: 60,
    limitDefault: 12,
    indexCaching: cacheControl.reports,
    isKey: isWeek,
    keyForm: 'an ISO week, YYYY-Www',
  },
  {
    document: 'monthly',
    path: 'monthlies',
    key: 'month',
    limitMax: 60,
    limitDefault: 12,
    indexCaching: cacheControl.reports,
    isKey: isMonth,
    keyForm: 'a month, YYYY-MM',
  },
];

export const indexQuery = (kind: ReportRouteKind) =>
  z.strictObject({ limit: wholeNumber(1, kind.limitMax, kind.limitDefault) });

export function handleReportIndex(
  kind: ReportRouteKind,
  context: ApiContext,
  request: PublicRequest,
): CachedResponse {
  const { publication, site } = context;
  const { limit } = readStrictQuery(request.rawQuery, indexQuery(kind));
  const documents = newestDocuments(publication.readModel(), kind.document, limit);
  const items = documents.map(({ body }) => wireReportEntry(site, body));
  return jsonResponse(kind.indexCaching, { schemaVersion: 1, count: items.length, items });
}

export async function handleLatestReport(
  kind: ReportRouteKind,
  context: ApiContext,
  request: PublicRequest,
) {
  readStrictQuery(request.rawQuery, noParameters);
  const [latest] = newestDocuments(context.publication.readModel(), kind.document, 1);
  if (latest === undefined)
    throw new Fault('not_found', `There is no ${kind.document} report yet.`);
  // The latest report changes with each period, so it has the cache lifetimes of the index.
  return reportResponse(kind, context, latest, kind.indexCaching);
}

export async function handleReport(
  kind: ReportRouteKind,
  context: ApiContext,
  request: PublicRequest,
) {
  const key = request.params[kind.key] ?? '';
  // An address that ends with a slash does not exist.
  if (key === '') throw unknownPathFault();
  readStrictQuery(request.rawQuery, noParameters);
  if (!kind.isKey(key))
    throw invalidQueryFault(`The path parameter "${kind.key}" must be ${kind.keyForm}.`);
  const document = await findDocument(context.world, context.publication, kind.document, key);
  if (document === null) throw new Fault('not_found', `There is no report of ${key}.`);
  return reportResponse(kind, context, document, cacheControl.reports);
}

async function reportResponse(
  kind: ReportRouteKind,
  { world, publication, site }: ApiContext,
  { key, body }: PublicDocument<DocumentName>,
  caching: string,
): Promise<CachedResponse> {
  const neighbours = await findReportNeighbours(world, publication, kind.document, key);
  const stories = await readStoriesOfEntries(world, publication, body);
  const report = wireReport(site, body, neighbours, stories);
  return jsonResponse(caching, { schemaVersion: 1, report });
}
