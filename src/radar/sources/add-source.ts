// Adds a source. Its definition is validated, its id and address are unique, and its first fetch is
// due immediately.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { insertSource } from '../../store/radar/sources/sources.ts';
import type { SettingsLanguage } from './settings-messages.ts';
import { parseSourceDefinition, type SourceDefinition } from './source-settings.ts';
import { sourceToRow } from './stored-source.ts';

export type AddSourceResult =
  | { readonly kind: 'added'; readonly source: SourceDefinition }
  /** `by`: the id of the source with the same id or address. */
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/**
 * `json` has the form of an entry of `editorial/sources.json`. `language` is the language of
 * problems.
 */
export async function addSource(
  world: World,
  db: Db,
  json: unknown,
  language: SettingsLanguage = 'en',
): Promise<AddSourceResult> {
  const parsed = parseSourceDefinition(json, language);
  if (parsed.kind === 'invalid') return parsed;
  const insertResult = await insertSource(db, sourceToRow(parsed.source), world.clock.now());
  return insertResult.kind === 'added' ? { kind: 'added', source: parsed.source } : insertResult;
}

/** Makes an id from a name or a host: lower-case words joined by hyphens. */
export function sourceIdFrom(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return words === '' ? 'source' : words;
}
