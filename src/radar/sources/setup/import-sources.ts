// Plans and stores several sources at once: of an OPML file, a pack, or the setup page. A plan
// lists new, existing and refused sources before anything is stored.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { insertSource } from '../../../store/radar/sources/sources.ts';
import type { SettingsLanguage } from '../settings-messages.ts';
import { parseSourceDefinition, type SourceDefinition } from '../source-settings.ts';
import { listDefinitions, sourceToRow } from '../stored-source.ts';
import type { OpmlOutline, RefusedOutline } from './read-opml.ts';
import { idOf } from './resolve-line.ts';

export type ImportRow = {
  /** The line of the OPML file; null for a source of a pack or of the setup page. */
  readonly line: number | null;
  readonly folder: string;
  readonly name: string;
  readonly url: string | null;
} & (
  | { readonly kind: 'new'; readonly definition: SourceDefinition }
  /**
   * `by` is the id of the source that has this address already. `isStored` is false for the source
   * of an earlier row.
   */
  | { readonly kind: 'exists'; readonly by: string; readonly isStored: boolean }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }
);

/** The parts of a row that the input determines. */
type ImportInput = Pick<ImportRow, 'line' | 'folder' | 'name' | 'url'> & {
  /** A definition that is not yet validated. */
  readonly json: Readonly<Record<string, unknown>>;
};

/** Rows in the order of the file, refused lines included. */
export async function planOpmlImport(
  db: Db,
  file: {
    readonly outlines: readonly OpmlOutline[];
    readonly problems: readonly RefusedOutline[];
  },
  language: SettingsLanguage = 'en',
): Promise<readonly ImportRow[]> {
  const plannedRows = await planImport(db, file.outlines.map(inputOf), language);
  const refusals: readonly ImportRow[] = file.problems.map(
    ({ line, folder, name, url, problem }) => ({
      kind: 'refused',
      line,
      folder,
      name,
      url,
      reasons: [problem[language]],
    }),
  );
  return [...plannedRows, ...refusals].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

export async function planDefinitions(
  db: Db,
  definitions: readonly SourceDefinition[],
  language: SettingsLanguage = 'en',
): Promise<readonly ImportRow[]> {
  const inputs = definitions.map((definition) => ({
    line: null,
    folder: '',
    name: definition.name,
    url: definition.kind === 'push' ? null : definition.settings.url,
    json: definition,
  }));
  return planImport(db, inputs, language);
}

async function planImport(
  db: Db,
  inputs: readonly ImportInput[],
  language: SettingsLanguage,
): Promise<readonly ImportRow[]> {
  const definitions = await listDefinitions(db);
  const byAddress = idsByAddress(definitions);
  const ids = new Set(definitions.map(({ id }) => id));
  const storedIds = new Set(ids);
  const rowOfExisting = (row: Pick<ImportRow, 'line' | 'folder' | 'name' | 'url'>, by: string) =>
    ({ ...row, kind: 'exists', by, isStored: storedIds.has(by) }) as const;
  return inputs.map(({ json, ...row }): ImportRow => {
    const existingId = row.url === null ? undefined : byAddress.get(addressKey(row.url));
    if (existingId !== undefined) return rowOfExisting(row, existingId);
    if (row.url === null && typeof json.id === 'string' && ids.has(json.id)) {
      return rowOfExisting(row, json.id);
    }
    const id = typeof json.id === 'string' ? json.id : idOf(row.name, row.url ?? row.name);
    const parsed = parseSourceDefinition({ ...json, id: findFreeId(id, ids) }, language);
    if (parsed.kind === 'invalid') return { ...row, kind: 'refused', reasons: parsed.problems };
    const { source } = parsed;
    ids.add(source.id);
    if (source.kind !== 'push') byAddress.set(addressKey(source.settings.url), source.id);
    return { ...row, kind: 'new', definition: source };
  });
}

/** The id of the source that has one of these addresses; null when no source has one. */
export async function findSourceAtAddress(db: Db, urls: readonly string[]): Promise<string | null> {
  const byAddress = idsByAddress(await listDefinitions(db));
  return urls.flatMap((url) => byAddress.get(addressKey(url)) ?? [])[0] ?? null;
}

const idsByAddress = (definitions: readonly SourceDefinition[]) =>
  new Map(
    definitions.flatMap((source) =>
      source.kind === 'push' ? [] : [[addressKey(source.settings.url), source.id] as const],
    ),
  );

/** Different spellings of one address have the same key. */
const addressKey = (url: string) => (URL.parse(url)?.href ?? url).replace(/\/$/, '');

function findFreeId(baseId: string, usedIds: ReadonlySet<string>): string {
  if (!usedIds.has(baseId)) return baseId;
  for (let count = 2; ; count += 1) {
    const id = `${baseId.slice(0, 55).replace(/-+$/, '')}-${count}`;
    if (!usedIds.has(id)) return id;
  }
}

function inputOf({ line, folder, name, url, language, definition }: OpmlOutline): ImportInput {
  if (typeof definition === 'object' && definition !== null) {
    // A file must not permit requests to private addresses.
    const { privateHosts: _hosts, ...json } = definition as Record<string, unknown>;
    const settings =
      typeof json.settings === 'object' && json.settings !== null ? json.settings : {};
    const address = 'url' in settings && typeof settings.url === 'string' ? settings.url : null;
    const label = typeof json.name === 'string' ? json.name : name;
    return { line, folder, name: label, url: address, json };
  }
  const declaredLanguage = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language ?? '')
    ? language
    : null;
  const json = {
    kind: 'feed',
    name,
    owner: name,
    tier: 'T2',
    language: declaredLanguage ?? (/\p{Script=Han}/u.test(name) ? 'zh' : 'en'),
    intervalMinutes: 30,
    participation: 'editorial',
    settings: { url },
  };
  return { line, folder, name, url, json };
}

export type ImportResult =
  | { readonly kind: 'stored'; readonly ids: readonly string[] }
  /** Another writer has added one of the sources meanwhile; nothing was stored. */
  | { readonly kind: 'taken'; readonly id: string; readonly by: string };

/** Stores all definitions, or none. `onStored` runs in the same transaction for each. */
export async function storeSources(
  world: World,
  db: Db,
  definitions: readonly SourceDefinition[],
  onStored: (tx: Db, source: SourceDefinition) => Promise<void> = async () => {},
): Promise<ImportResult> {
  let conflict: ImportResult | null = null;
  try {
    return await inTransaction(db, async (tx) => {
      for (const definition of definitions) {
        const now = world.clock.now();
        const insertResult = await insertSource(tx, sourceToRow(definition), now);
        if (insertResult.kind === 'taken') {
          const { by } = insertResult;
          conflict = { kind: 'taken', id: definition.id, by };
          throw new Fault('invalid_request', `${definition.id} is taken by ${by}`);
        }
        await onStored(tx, definition);
      }
      return { kind: 'stored', ids: definitions.map(({ id }) => id) };
    });
  } catch (error) {
    // The fault has rolled the transaction back.
    if (conflict === null) throw error;
    return conflict;
  }
}
