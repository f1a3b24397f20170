// Previews a source without storing anything, for the source form, `radar source try` and `radar
// source check`. Only `radar source try` reads local files.
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Robots } from '../../kernel/net/robots.ts';
import type { World } from '../../kernel/world.ts';
import { type FetchWarning, fetchWarning } from './fetch/fetch-warning.ts';
import { requestSource } from './fetch/request-source.ts';
import type { ParsedFeed } from './parse/entry.ts';
import { parseDocument, type SourceDocument } from './parse/parse-document.ts';
import type { SourceDefinition } from './source-settings.ts';

export type TrySourceResult =
  | { readonly kind: 'read'; readonly feed: ParsedFeed }
  | { readonly kind: 'failed'; readonly warning: FetchWarning };

/** This many detail pages are enough to check the settings. */
const PREVIEW_PAGES_MAX = 5;

export async function trySource(
  world: World,
  robots: Robots,
  source: SourceDefinition,
): Promise<TrySourceResult> {
  if (source.kind === 'push') {
    return { kind: 'failed', warning: fetchWarning('push-not-read') };
  }
  const target = {
    kind: source.kind,
    url: source.settings.url,
    settings: source.settings,
    private_hosts: source.privateHosts ?? [],
    proxy: source.proxy ?? null,
  };
  const response = await requestSource(world, robots, target, { etag: null, last_modified: null });
  if (response.kind !== 'document') {
    const failureKind = response.kind === 'gone' ? 'gone' : 'nothing-new';
    return {
      kind: 'failed',
      warning: 'warning' in response ? response.warning : fetchWarning(failureKind),
    };
  }
  const { body, headers, url } = response.response;
  const contentType = headers['content-type'] ?? null;
  const document = { bytes: body, contentType, url, now: world.clock.now() };
  return addDetailPages(world, robots, source, await parseToResult(source, document));
}

/** Adds the detail pages of the first entries when the list requires them. */
async function addDetailPages(
  world: World,
  robots: Robots,
  source: SourceDefinition,
  outcome: TrySourceResult,
): Promise<TrySourceResult> {
  if (outcome.kind === 'failed' || source.kind !== 'web-list') return outcome;
  const { fetchDetailPages: fetchPages } = await import('./fetch/fetch-detail-pages.ts');
  const { entriesNeedingDetail } = await import('./parse/web-list/merge-detail.ts');
  const { settings, language } = source;
  const { feed } = outcome;
  const detailEntries = entriesNeedingDetail(feed.entries, settings).slice(0, PREVIEW_PAGES_MAX);
  const { privateHosts = [], proxy = null } = source;
  const list = { settings, source: { language, private_hosts: privateHosts, proxy } };
  const { completedEntries, warnings } = await fetchPages(world, robots, list, detailEntries);
  const entries = feed.entries.map((entry) => completedEntries.get(entry) ?? entry);
  return {
    kind: 'read',
    feed: { ...feed, entries, warnings: [...feed.warnings, ...warnings] },
  };
}

/** Parses a local file. It has no address, so relative addresses in a feed stay unresolved. */
export async function tryFile(
  world: World,
  source: SourceDefinition,
  path: string,
): Promise<TrySourceResult> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { kind: 'failed', warning: fetchWarning('file-unread', messageOf(error)) };
  }
  return parseToResult(source, { bytes, contentType: null, url: null, now: world.clock.now() });
}

async function parseToResult(
  source: SourceDefinition,
  document: SourceDocument,
): Promise<TrySourceResult> {
  const outcome = await parseDocument(source, document);
  return outcome.kind === 'read'
    ? { kind: 'read', feed: outcome.feed }
    : { kind: 'failed', warning: outcome.warning };
}
