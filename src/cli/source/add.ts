// `radar source add`: adds one source from a line, or many from their definitions. The address of a
// line is requested once before it is stored, so that a mistake is reported immediately.
import { readFile } from 'node:fs/promises';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import { addSource, sourceIdFrom } from '../../radar/sources/add-source.ts';
import { resolveLine } from '../../radar/sources/setup/resolve-line.ts';
import {
  parseSourceDefinition,
  type SourceDefinition,
} from '../../radar/sources/source-settings.ts';
import type { App, CliApp, OfflineApp } from '../app.ts';
import { commaSeparated } from '../program-values.ts';
import { openProgress } from '../progress.ts';
import { describeLine } from './describe-line.ts';
import { waitForImport } from './import-progress.ts';
import { noteFirstRules } from './note-first-rules.ts';
import { importOpml } from './opml.ts';
import { nameOf, requireCategories } from './require-categories.ts';

export type AddOptions = {
  readonly file?: string;
  readonly opml?: string;
  readonly folder?: string;
  readonly only?: string;
  readonly id?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly tier?: string;
  readonly language?: string;
  readonly interval?: number;
  readonly participation?: string;
  readonly unread?: boolean;
  readonly wait?: boolean;
};

export async function addSources(
  app: App,
  url: string | undefined,
  options: AddOptions,
): Promise<void> {
  const inputs = [url, options.file, options.opml].filter((input) => input !== undefined);
  if (inputs.length !== 1) {
    const inputForms = 'a template line or an address, --file, or --opml';
    throw new Fault('invalid_request', `Give one of: ${inputForms}. See: radar source add --help`);
  }
  const isOnlyMisplaced = options.only !== undefined && options.file === undefined;
  const isFolderMisplaced = options.folder !== undefined && options.opml === undefined;
  if (isOnlyMisplaced || isFolderMisplaced) {
    const message = '--only selects sources of --file, and --folder selects folders of --opml.';
    throw new Fault('invalid_request', `${message} See: radar source add --help`);
  }
  if (options.opml !== undefined) return importOpml(app, options.opml, options);
  const drafts = options.file === undefined ? null : await readDefinitions(options);
  await app.withApp(async (context) => {
    const draft = drafts === null ? await draftFromLine(app, context, url ?? '', options) : null;
    const definitions = drafts ?? [draft?.json];
    await requireCategories(context, definitions);
    const progress = openProgress(context.world.clock, app.terminal);
    const addedIds: string[] = [];
    for (const [index, json] of definitions.entries()) {
      if (app.terminal.isInteractive && definitions.length > 1) {
        progress.show(`${index + 1} of ${definitions.length}: ${nameOf(json)}`);
      }
      const outcome = await addDefinition(context, json, draft?.entries ?? null);
      progress.clear();
      for (const line of outcome.problems) app.terminal.note(`${line}\n`);
      if (outcome.addedId === null) continue;
      app.terminal.out(`${outcome.line}\n`);
      addedIds.push(outcome.addedId);
    }
    await noteFirstRules(app, context, addedIds.length);
    if (options.wait) await waitForImport(app, context, addedIds);
    const skippedCount = definitions.length - addedIds.length;
    if (skippedCount > 0) {
      const total = definitions.length;
      throw new Fault('invalid_request', `${skippedCount} of ${total} sources were not added.`);
    }
  });
}

type Outcome = {
  /** The id of the added source; null when it was not added. */
  readonly addedId: string | null;
  readonly line: string;
  readonly problems: readonly string[];
};

const refusedOutcome = (problems: readonly string[]): Outcome => ({
  addedId: null,
  line: '',
  problems,
});

async function addDefinition(
  cliApp: CliApp,
  json: unknown,
  entries: number | null,
): Promise<Outcome> {
  const parsed = parseSourceDefinition(json);
  if (parsed.kind === 'invalid') {
    return refusedOutcome(parsed.problems.map((problem) => `${nameOf(json)}: ${problem}`));
  }
  const { source } = parsed;
  const addedSource = await addSource(cliApp.world, cliApp.db, json);
  switch (addedSource.kind) {
    case 'added': {
      if (source.kind !== 'push') await cliApp.queueFetch(source.id);
      const message = `${source.name} (${source.kind}, ${source.tier})`;
      return {
        addedId: source.id,
        line: `added ${source.id}: ${message}${describeFirstFetch(source, entries)}`,
        problems: [],
      };
    }
    case 'taken':
      return refusedOutcome([`${source.id}: the source exists already, ${addedSource.by}`]);
    case 'invalid':
      return refusedOutcome(addedSource.problems);
  }
}

/**
 * The number of entries in the first response. A push source is not fetched, so the text names the
 * command that creates its token.
 */
function describeFirstFetch(source: SourceDefinition, entries: number | null): string {
  if (source.kind === 'push') return `. Its token: radar source token ${source.id}`;
  return entries === null ? '' : ` with ${entries} ${entries === 1 ? 'entry' : 'entries'}`;
}

type LineDraft = {
  readonly json: object;
  /** The number of entries; null when the address was not requested. */
  readonly entries: number | null;
};

/** A source from one line. Options take precedence over the values of the line and its feed. */
async function draftFromLine(
  app: App,
  offlineApp: OfflineApp,
  line: string,
  options: AddOptions,
): Promise<LineDraft> {
  const addresses = await app.readTemplateAddresses();
  const deps = { ...offlineApp, addresses, canOpenLoopback: true };
  const resolved = await resolveLine(deps, line, { isWithoutRequest: options.unread === true });
  if (resolved.kind !== 'source') throw new Fault('invalid_request', describeLine(line, resolved));
  const { definition, foundOn } = resolved;
  if (foundOn !== null && definition.kind !== 'push') {
    app.terminal.note(`${foundOn} is a web page. Its feed: ${definition.settings.url}\n`);
  }
  const name = options.name ?? definition.name;
  const json = {
    ...definition,
    id: options.id ?? (options.name === undefined ? definition.id : sourceIdFrom(options.name)),
    name,
    owner: options.owner ?? (options.name === undefined ? definition.owner : name),
    tier: options.tier ?? definition.tier,
    language: options.language ?? definition.language,
    intervalMinutes: options.interval ?? definition.intervalMinutes,
    participation: options.participation ?? definition.participation,
  };
  return { json, entries: resolved.feed?.entries.length ?? null };
}

async function readDefinitions(options: AddOptions): Promise<readonly unknown[]> {
  const path = options.file === '-' ? '/dev/stdin' : (options.file ?? '');
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Fault('invalid_request', `${options.file}: ${messageOf(error)}`);
  }
  const rows = typeof json === 'object' && json !== null && 'sources' in json ? json.sources : json;
  const definitions: readonly unknown[] = Array.isArray(rows) ? rows : [rows];
  if (definitions.length === 0)
    throw new Fault('invalid_request', `${options.file}: no source in it.`);
  if (options.only === undefined) return definitions;
  const ids = definitions.map(nameOf);
  const selectedIds = commaSeparated(options.only);
  const missing = selectedIds.filter((id) => !ids.includes(id));
  if (selectedIds.length > 0 && missing.length === 0) {
    return definitions.filter((row) => selectedIds.includes(nameOf(row)));
  }
  const message =
    missing.length === 0 ? '--only names no source' : `no source called ${missing.join(', ')}`;
  throw new Fault('invalid_request', `${options.file}: ${message}. There are: ${ids.join(', ')}.`);
}
