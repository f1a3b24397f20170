// Edits a source. The caller locks the source and compares its version with the version of the
// operator's form. Id and kind do not change.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { makeDueNow } from '../../store/radar/sources/fetch-states.ts';
import { lockSource, saveSource } from '../../store/radar/sources/sources.ts';
import type { SettingsLanguage } from './settings-messages.ts';
import { parseSourceDefinition, type SourceDefinition } from './source-settings.ts';
import { definitionOf, sourceToRow } from './stored-source.ts';

export type LockedSource = {
  readonly version: number;
  readonly status: 'active' | 'paused' | 'gone';
  readonly definition: SourceDefinition;
};

/** Reads a source and locks it until the caller's transaction ends; null when there is none. */
export async function readLockedSource(tx: Db, id: string): Promise<LockedSource | null> {
  const row = await lockSource(tx, id);
  if (row === null || row.removed_at !== null) return null;
  return { version: row.version, status: row.status, definition: definitionOf(row) };
}

export type EditSourceResult =
  | { readonly kind: 'saved'; readonly source: SourceDefinition }
  | { readonly kind: 'taken'; readonly by: string }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/**
 * Runs in the caller's transaction, which holds the source's lock. After a change of settings, the
 * next fetch is due immediately.
 */
export async function editSource(
  world: World,
  tx: Db,
  before: SourceDefinition,
  json: object,
  language: SettingsLanguage = 'en',
): Promise<EditSourceResult> {
  const parsed = parseSourceDefinition({ ...json, id: before.id, kind: before.kind }, language);
  if (parsed.kind === 'invalid') return parsed;
  const { source } = parsed;
  const saveResult = await saveSource(tx, sourceToRow(source), world.clock.now());
  if (saveResult.kind === 'taken') return saveResult;
  const hasNewSettings = JSON.stringify(before.settings) !== JSON.stringify(source.settings);
  if (hasNewSettings) await makeDueNow(tx, source.id);
  return { kind: 'saved', source };
}
