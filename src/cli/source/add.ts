// `radar source add`: one feed by its address, or any sources by their definitions. Each is read
// once before it is kept, so that a mistake shows now and not in an empty feed tomorrow.
import { readFile } from 'node:fs/promises';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import { addSource, sourceIdFrom } from '../../radar/sources/add-source.ts';
import { formatWarning } from '../../radar/sources/fetch/fetch-warning.ts';
import {
  parseSourceDefinition,
  type SourceDefinition,
} from '../../radar/sources/source-settings.ts';
import { trySource } from '../../radar/sources/try-source.ts';
import type { App, House, Outside } from '../app.ts';
import { commaSeparated } from '../program-values.ts';
import { openProgress } from '../progress.ts';
import { feedAt } from './draft-from-url.ts';
import { waitForImport } from './wait.ts';

export type AddOptions = {
  readonly file?: string;
  readonly only?: string;
  readonly id?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly tier: string;
  readonly language?: string;
  readonly interval: number;
  readonly participation: string;
  readonly unread?: boolean;
  readonly wait?: boolean;
};

export async function addSources(
  app: App,
  url: string | undefined,
  options: AddOptions,
): Promise<void> {
  if ((url === undefined) === (options.file === undefined)) {
    throw new Fault('invalid_request', 'Give either the address of a feed, or --file.');
  }
  const drafts = options.file === undefined ? null : await readDefinitions(options);
  await app.withHouse(async (house) => {
    const definitions = drafts ?? [await draftFeed(house, url ?? '', options)];
    const progress = openProgress(house.world.clock, app.terminal);
    const added: string[] = [];
    for (const [index, json] of definitions.entries()) {
      if (app.terminal.isInteractive && definitions.length > 1) {
        progress.at(`${index + 1} of ${definitions.length}: ${nameOf(json)}`);
      }
      const outcome = await addOne(house, json, options);
      progress.clear();
      for (const line of outcome.problems) app.terminal.note(`${line}\n`);
      if (outcome.added === null) continue;
      app.terminal.out(`${outcome.line}\n`);
      added.push(outcome.added);
    }
    if (options.wait) await waitForImport(app, house, added);
    const refused = definitions.length - added.length;
    if (refused > 0) {
      const all = definitions.length;
      throw new Fault('invalid_request', `${refused} of ${all} sources were not added.`);
    }
  });
}

type Outcome = {
  /** The id under which it was added; null when it was not. */
  readonly added: string | null;
  readonly line: string;
  readonly problems: readonly string[];
};

const refusal = (problems: readonly string[]): Outcome => ({ added: null, line: '', problems });

async function addOne(house: House, json: unknown, options: AddOptions): Promise<Outcome> {
  const parsed = parseSourceDefinition(json);
  if (parsed.kind === 'invalid') {
    return refusal(parsed.problems.map((problem) => `${nameOf(json)}: ${problem}`));
  }
  const { source } = parsed;
  const yielded = await yieldOf(house, source, options);
  const added = await addSource(house.world, house.db, json);
  switch (added.kind) {
    case 'added': {
      if (source.kind !== 'push') await house.readSoon(source.id);
      const what = `${source.name} (${source.kind}, ${source.tier})`;
      return { added: source.id, line: `added ${source.id}: ${what}${yielded}`, problems: [] };
    }
    case 'taken':
      return refusal([`${source.id}: there is such a source already, ${added.by}`]);
    case 'invalid':
      return refusal(added.problems);
  }
}

/** How much the first look found; a push source is opened by its token. */
async function yieldOf(house: House, source: SourceDefinition, options: AddOptions) {
  if (source.kind === 'push') return `. Its token: radar source token ${source.id}`;
  if (options.unread || options.file !== undefined) return '';
  const outcome = await trySource(house.world, house.robots, source);
  if (outcome.kind === 'read') {
    const count = outcome.feed.entries.length;
    return ` with ${count} ${count === 1 ? 'entry' : 'entries'}`;
  }
  throw unreadable(source.settings.url, formatWarning(outcome.warning, 'en'));
}

/** A feed from its address alone: what is not given is taken from the feed. */
async function draftFeed(outside: Outside, url: string, options: AddOptions): Promise<object> {
  const bare = feedAt(url);
  const outcome = options.unread ? null : await trySource(outside.world, outside.robots, bare);
  if (outcome?.kind === 'failed') throw unreadable(url, formatWarning(outcome.warning, 'en'));
  const reading = outcome?.feed;
  const name = options.name ?? reading?.title ?? new URL(url).host;
  const declared = reading?.entries.find((entry) => entry.language !== null)?.language;
  return {
    ...bare,
    id: options.id ?? sourceIdFrom(options.name ?? idText(url, reading?.title ?? null)),
    name: name.slice(0, 120),
    owner: options.owner ?? name.slice(0, 120),
    tier: options.tier,
    language: options.language ?? declared ?? 'en',
    intervalMinutes: options.interval,
    participation: options.participation,
  };
}

/** A title in Latin letters makes a better id than an address does. */
function idText(url: string, title: string | null): string {
  const fromTitle = sourceIdFrom(title ?? '');
  if (fromTitle !== 'source' && fromTitle.length > 2) return fromTitle;
  const { host, pathname } = new URL(url);
  return `${host} ${pathname}`;
}

const unreadable = (url: string, message: string) =>
  new Fault(
    'invalid_request',
    `${url} cannot be read: ${message.replace(/\.$/, '')}. Add --unread to keep it all the same.`,
  );

async function readDefinitions(options: AddOptions): Promise<readonly unknown[]> {
  const path = options.file === '-' ? '/dev/stdin' : (options.file ?? '');
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Fault('invalid_request', `${options.file}: ${messageOf(error)}`);
  }
  const rows = typeof json === 'object' && json !== null && 'sources' in json ? json.sources : json;
  const list: readonly unknown[] = Array.isArray(rows) ? rows : [rows];
  if (list.length === 0) throw new Fault('invalid_request', `${options.file}: no source in it.`);
  if (options.only === undefined) return list;
  const ids = list.map(nameOf);
  const wanted = commaSeparated(options.only);
  const missing = wanted.filter((id) => !ids.includes(id));
  if (wanted.length > 0 && missing.length === 0) {
    return list.filter((row) => wanted.includes(nameOf(row)));
  }
  const what =
    missing.length === 0 ? '--only names none' : `no source called ${missing.join(', ')}`;
  throw new Fault('invalid_request', `${options.file}: ${what}. There are: ${ids.join(', ')}.`);
}

function nameOf(json: unknown): string {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : null;
  return typeof id === 'string' ? id : 'a source without an id';
}
