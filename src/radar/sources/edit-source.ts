// A source is changed as whoever changes it saw it: a definition over the one that stands, never
// over one that somebody else has written meanwhile. Its id and its kind stay.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { readSoon } from '../../store/radar/sources/fetch-states.ts';
import { lockSource, saveSource } from '../../store/radar/sources/sources.ts';
import type { SettingsLanguage } from './settings-messages.ts';
import { parseSourceDefinition, type SourceDefinition } from './source-settings.ts';
import { definitionOf, toRow } from './stored-source.ts';

export type LockedSource = {
  readonly version: number;
  readonly status: 'active' | 'paused' | 'gone';
  readonly definition: SourceDefinition;
};

/** As it stands, for as long as the caller's transaction lasts; null: there is none. */
export async function lockedSource(tx: Db, id: string): Promise<LockedSource | null> {
  const row = await lockSource(tx, id);
  if (row === null) return null;
  return { version: row.version, status: row.status, definition: definitionOf(row) };
}

export type EditSource =
  | { readonly kind: 'saved'; readonly source: SourceDefinition }
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Part of the caller's transaction, which holds the source locked. Read again when it moved. */
export async function editSource(
  world: World,
  tx: Db,
  before: SourceDefinition,
  json: object,
  language: SettingsLanguage = 'en',
): Promise<EditSource> {
  const parsed = parseSourceDefinition({ ...json, id: before.id, kind: before.kind }, language);
  if (parsed.kind === 'invalid') return parsed;
  const { source } = parsed;
  const saved = await saveSource(tx, toRow(source), world.clock.now());
  if (saved.kind === 'taken') return saved;
  const isRead = JSON.stringify(before.settings) !== JSON.stringify(source.settings);
  if (isRead) await readSoon(tx, source.id);
  return { kind: 'saved', source };
}
