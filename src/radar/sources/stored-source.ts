// Converts a source's definition to a row and back.
import { assert } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import {
  listSources,
  type NewSource,
  type StoredSource,
} from '../../store/radar/sources/sources.ts';
import { parseSourceDefinition, type SourceDefinition } from './source-settings.ts';

export function sourceToRow(source: SourceDefinition): NewSource {
  return {
    id: source.id,
    kind: source.kind,
    name: source.name,
    url: source.kind === 'push' ? null : source.settings.url,
    settings: source.settings,
    private_hosts: source.privateHosts ?? [],
    tier: source.tier,
    owner: source.owner,
    language: source.language,
    participation: source.participation,
    interval_minutes: source.intervalMinutes,
    category_hint: source.categoryHint ?? null,
    proxy: source.proxy ?? null,
  };
}

/** Definitions of all stored sources. */
export async function listDefinitions(db: Db): Promise<readonly SourceDefinition[]> {
  return (await listSources(db)).map(definitionOf);
}

export function definitionOf(row: StoredSource): SourceDefinition {
  const settings = row.url === null ? row.settings : { ...row.settings, url: row.url };
  const parsed = parseSourceDefinition({
    id: row.id,
    kind: row.kind,
    name: row.name,
    settings,
    tier: row.tier,
    owner: row.owner,
    language: row.language,
    participation: row.participation,
    intervalMinutes: row.interval_minutes,
    ...(row.private_hosts.length > 0 && { privateHosts: row.private_hosts }),
    ...(row.category_hint !== null && { categoryHint: row.category_hint }),
    ...(row.proxy !== null && { proxy: row.proxy }),
  });
  assert(parsed.kind === 'source', `the stored source ${row.id} is invalid`);
  return parsed.source;
}
