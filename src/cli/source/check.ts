// `radar source check`: fetches stored sources once without storing anything, and lists the fields
// that entries have. Bug reports include its output.
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { formatWarning } from '../../radar/sources/fetch/fetch-warning.ts';
import type { ParsedEntry } from '../../radar/sources/parse/entry.ts';
import { listDefinitions } from '../../radar/sources/stored-source.ts';
import { trySource } from '../../radar/sources/try-source.ts';
import type { App, CliApp } from '../app.ts';

export type SourceCheckOptions = { readonly all?: boolean; readonly json?: boolean };

const fieldNames = [
  'id',
  'url',
  'title',
  'summary',
  'content',
  'author',
  'publishedAt',
  'updatedAt',
  'language',
] as const satisfies readonly (keyof ParsedEntry)[];

export async function checkSources(
  app: App,
  ids: readonly string[],
  { all = false, json = false }: SourceCheckOptions,
): Promise<void> {
  if (ids.length === 0 && !all) {
    throw new Fault('invalid_request', 'Name sources, or use --all. See: radar source list');
  }
  await app.withApp(async (context) => {
    const sources = await chooseSources(context.db, all ? null : ids);
    const checks: SourceCheck[] = [];
    for (const source of sources) {
      const check = await checkSource(context, source);
      checks.push(check);
      if (!json) app.terminal.out(formatCheck(check));
    }
    if (json) app.terminal.out(`${JSON.stringify({ checks }, null, 2)}\n`);
    const failedIds = checks.filter(({ failure }) => failure !== null).map(({ id }) => id);
    if (failedIds.length > 0) {
      throw new Fault('upstream_error', `Could not be read: ${failedIds.join(', ')}.`);
    }
  });
}

type StoredDefinition = Awaited<ReturnType<typeof listDefinitions>>[number];

async function chooseSources(
  db: Db,
  ids: readonly string[] | null,
): Promise<readonly StoredDefinition[]> {
  // A push source has no address to fetch.
  const definitions = (await listDefinitions(db)).filter(({ kind }) => kind !== 'push');
  if (ids === null) return definitions;
  const byId = new Map(definitions.map((source) => [source.id, source]));
  const unknown = ids.filter((id) => !byId.has(id));
  if (unknown.length > 0) {
    const message = `No source that can be fetched has the id ${unknown.join(', ')}.`;
    throw new Fault('not_found', `${message} See: radar source list`);
  }
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type SourceCheck = {
  readonly id: string;
  readonly durationMs: number;
  readonly entries: number;
  /** The number of entries with each field. */
  readonly filled: Readonly<Record<string, number>>;
  readonly empty: readonly string[];
  readonly warnings: readonly string[];
  readonly failure: string | null;
};

async function checkSource(
  { world, robots }: Pick<CliApp, 'robots'> & { readonly world: World },
  source: StoredDefinition,
): Promise<SourceCheck> {
  const startedAt = world.clock.now();
  const outcome = await trySource(world, robots, source);
  const entries = outcome.kind === 'failed' ? [] : outcome.feed.entries;
  const counts = fieldNames.map(
    (name) => [name, entries.filter((entry) => entry[name] !== null).length] as const,
  );
  return {
    id: source.id,
    durationMs: world.clock.now() - startedAt,
    entries: entries.length,
    filled: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    empty: counts.filter(([, count]) => count === 0).map(([name]) => name),
    warnings:
      outcome.kind === 'failed'
        ? []
        : outcome.feed.warnings.map((warning) => formatWarning(warning, 'en')),
    failure: outcome.kind === 'failed' ? formatWarning(outcome.warning, 'en') : null,
  };
}

function formatCheck(check: SourceCheck): string {
  const { id, durationMs, entries, filled, empty, warnings, failure } = check;
  if (failure !== null) return `${id}, ${durationMs} ms: failed\n  detail  ${failure}\n`;
  const filledFields = Object.entries(filled).map(([name, count]) => `${name} ${count}`);
  const lines = [
    `${id}, ${durationMs} ms: ${entries} entries`,
    `  filled  ${filledFields.join(', ') || 'nothing'}`,
    `  null    ${empty.join(', ') || 'nothing'}`,
    ...warnings.map((warning) => `  note    ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}
