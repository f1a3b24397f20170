// /sitemap.xml (sitemaps.org 0.9): all public pages. Above the limit of one file, the sitemap is an
// index of the files /sitemap/{n}.xml.

import { Fault } from '../../../kernel/errors/fault.ts';
import { escapeXml } from '../../../kernel/text/escape-xml.ts';
import { newestDocuments } from '../../publication/read-model/documents.ts';
import { pageOf } from '../../publication/read-model/page.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, makeResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';
import { itemPageUrl } from '../wire-item.ts';
import { readNewestReports, reportNames, reportPageUrl } from './read-report.ts';

/** The protocol allows 50,000 addresses and 50 MB in a file. */
const URLS_PER_FILE_MAX = 20_000;

type SitemapEntry = { readonly url: string; readonly changedAt: number | null };

const staticPaths = [
  ...['/', '/latest', '/all', '/hot', '/daily', '/weekly', '/monthly', '/disagreements'],
  ...['/sources', '/search', '/agent', '/about'],
];

/** `perFile`: the maximum number of addresses in a file; smaller in tests. */
export function handleSitemap(
  context: ApiContext,
  request: PublicRequest,
  perFile = URLS_PER_FILE_MAX,
): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const entries = listEntries(context);
  if (entries.length <= perFile) return xmlResponse(renderUrlSet(entries));
  const count = Math.ceil(entries.length / perFile);
  const files = Array.from(
    { length: count },
    (_, index) => `<sitemap><loc>${context.site.url}/sitemap/${index + 1}.xml</loc></sitemap>\n`,
  );
  return xmlResponse(`<sitemapindex ${NAMESPACE}>\n${files.join('')}</sitemapindex>\n`);
}

export function handleSitemapPart(
  context: ApiContext,
  request: PublicRequest,
  perFile = URLS_PER_FILE_MAX,
): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const [, number] = /^([1-9]\d{0,4})\.xml$/.exec(request.params.file ?? '') ?? [];
  const startIndex = (Number(number ?? 0) - 1) * perFile;
  const entries =
    startIndex < 0 ? [] : listEntries(context).slice(startIndex, startIndex + perFile);
  if (entries.length === 0) throw new Fault('not_found', 'There is no such part of the sitemap.');
  return xmlResponse(renderUrlSet(entries));
}

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function renderUrlSet(entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ url, changedAt }) => {
    const changed =
      changedAt === null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<url><loc>${escapeXml(url)}</loc>${changed}</url>\n`;
  });
  return `<urlset ${NAMESPACE}>\n${lines.join('')}</urlset>\n`;
}

function xmlResponse(body: string): CachedResponse {
  return makeResponse({
    contentType: 'application/xml; charset=utf-8',
    cacheControl: cacheControl.live,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  });
}

/** Pages that rarely change come first, so that most files of the sitemap stay unchanged. */
function listEntries(context: ApiContext): readonly SitemapEntry[] {
  const { publication, site, world } = context;
  const model = publication.readModel();
  const reports = reportNames.flatMap((name) =>
    readNewestReports(context, name, 1_000).map(({ key, body }) => ({
      url: reportPageUrl(site, name, key),
      changedAt: body.generatedAt,
    })),
  );
  const stories = newestDocuments(model, 'story', Number.POSITIVE_INFINITY).flatMap(
    ({ key, body }) =>
      body.kind === 'story'
        ? [{ url: `${site.url}/stories/${key}`, changedAt: body.latestAt }]
        : [],
  );
  const allItems = { mode: 'all', category: null, by: 'timeline', window: '7d' } as const;
  // Greater than the number of items in any read model.
  const limit = 1_000_000;
  const page = pageOf(model, { ...allItems, q: null, limit, anchor: null }, world.clock.now());
  const items = page.kind === 'page' ? page.items : [];
  return [
    ...staticPaths.map((path) => ({ url: `${site.url}${path}`, changedAt: null })),
    ...reports,
    ...stories,
    ...items.map(({ id }) => ({ url: itemPageUrl(site, id), changedAt: null })),
  ];
}
