// What a source would yield, without storing anything: the preview before saving, and the way in
// which feeds are tried from a file or an address.
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Robots } from '../../kernel/net/robots.ts';
import type { World } from '../../kernel/world.ts';
import { type Note, note } from './fetch/fetch-warning.ts';
import { fetchSource } from './fetch/request-source.ts';
import type { Reading } from './parse/entry.ts';
import { type Document, readDocument } from './parse/parse-document.ts';
import type { SourceDefinition } from './source-settings.ts';

export type TrySource =
  | { readonly kind: 'read'; readonly reading: Reading }
  | { readonly kind: 'failed'; readonly note: Note };

/** As many pages of entries are asked for as show that the settings are right. */
const PAGES_SHOWN = 5;

export async function trySource(
  world: World,
  robots: Robots,
  source: SourceDefinition,
): Promise<TrySource> {
  if (source.kind === 'push') {
    return { kind: 'failed', note: note('push-not-read') };
  }
  const target = {
    kind: source.kind,
    url: source.settings.url,
    private_hosts: source.privateHosts ?? [],
  };
  const fetched = await fetchSource(world, robots, target, { etag: null, last_modified: null });
  if (fetched.kind !== 'document') {
    const plain = fetched.kind === 'gone' ? 'gone' : 'nothing-new';
    return { kind: 'failed', note: 'note' in fetched ? fetched.note : note(plain) };
  }
  const { body, headers, url } = fetched.response;
  const contentType = headers['content-type'] ?? null;
  const document = { bytes: body, contentType, url, now: world.clock.now() };
  return withPages(world, robots, source, await read(source, document));
}

/** Of a list whose entries need their pages, the first few are shown with them. */
async function withPages(
  world: World,
  robots: Robots,
  source: SourceDefinition,
  outcome: TrySource,
): Promise<TrySource> {
  if (outcome.kind === 'failed' || source.kind !== 'web-list') return outcome;
  const { askForPages } = await import('./fetch/fetch-detail-pages.ts');
  const { entriesNeedingDetail } = await import('./parse/web-list/merge-detail.ts');
  const { settings, language } = source;
  const { reading } = outcome;
  const wanted = entriesNeedingDetail(reading.entries, settings).slice(0, PAGES_SHOWN);
  const pages = { settings, source: { language, private_hosts: source.privateHosts ?? [] } };
  const { detailed, warnings } = await askForPages(world, robots, pages, wanted);
  const entries = reading.entries.map((entry) => detailed.get(entry) ?? entry);
  return {
    kind: 'read',
    reading: { ...reading, entries, warnings: [...reading.warnings, ...warnings] },
  };
}

/** A document on disk: relative addresses in a feed stay unresolved. */
export async function tryFile(
  world: World,
  source: SourceDefinition,
  path: string,
): Promise<TrySource> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { kind: 'failed', note: note('file-unread', messageOf(error)) };
  }
  return read(source, { bytes, contentType: null, url: null, now: world.clock.now() });
}

async function read(source: SourceDefinition, document: Document): Promise<TrySource> {
  const outcome = await readDocument(source, document);
  return outcome.kind === 'read'
    ? { kind: 'read', reading: outcome.reading }
    : { kind: 'failed', note: outcome.note };
}
