// `radar pack …`: lists, shows, checks and adds the source packs of the editorial folder.
import { Command } from 'commander';
import { Fault } from '../../kernel/errors/fault.ts';
import {
  editorialChoices,
  readSetupSettings,
  saveSetupSettings,
} from '../../operators/setup-settings.ts';
import { formatWarning } from '../../radar/sources/fetch/fetch-warning.ts';
import { listSources } from '../../radar/sources/list-sources.ts';
import { planDefinitions, storeSources } from '../../radar/sources/setup/import-sources.ts';
import {
  type PackedSource,
  type SourcePack,
  withKnownCategory,
} from '../../radar/sources/setup/source-packs.ts';
import { trySource } from '../../radar/sources/try-source.ts';
import type { App, CliApp } from '../app.ts';
import { commaSeparated } from '../program-values.ts';
import { openProgress } from '../progress.ts';
import { waitForImport } from '../source/import-progress.ts';
import { textTable } from '../text-table.ts';

type PackOptions = { readonly only?: string; readonly wait?: boolean };

export function packCommand(app: App): Command {
  const command = new Command('pack').description('Packs: ready lists of sources for one field.');
  command
    .command('list')
    .description('Lists every pack, its number of sources and its editorial folder.')
    .action(() => listPacks(app));
  command
    .command('show')
    .description('Shows the sources of a pack, and the document that contains each address.')
    .argument('<pack>')
    .action((id: string) => showPack(app, id));
  command
    .command('check')
    .description('Fetches each source of a pack once, without storing items.')
    .argument('<pack>')
    .option('--only <ids>', 'only the sources with these ids, separated by commas')
    .action((id: string, options: PackOptions) => checkPack(app, id, options));
  command
    .command('add')
    .description('Adds the sources of a pack that do not exist yet.')
    .argument('<pack>')
    .option('--only <ids>', 'only the sources with these ids, separated by commas')
    .option('--wait', 'return when the items of the first fetch are public')
    .action((id: string, options: PackOptions) => addPack(app, id, options));
  return command;
}

async function listPacks(app: App): Promise<void> {
  const packs = await app.readPacks();
  const rows = packs.map(({ id, name, editorial, sources, about }) => [
    id,
    name.en,
    String(sources.length),
    editorial === '.' ? 'editorial' : `editorial/${editorial}`,
    about.en,
  ]);
  app.terminal.out(textTable([['pack', 'name', 'sources', 'folder', 'about'], ...rows]));
}

async function findPack(app: App, id: string): Promise<SourcePack> {
  const packs = await app.readPacks();
  const pack = packs.find((pack) => pack.id === id);
  if (pack !== undefined) return pack;
  const packIds = packs.map((pack) => pack.id).join(', ');
  throw new Fault('not_found', `There is no pack called ${id}. Packs: ${packIds}.`);
}

async function showPack(app: App, id: string): Promise<void> {
  const { name, about, sources } = await findPack(app, id);
  app.terminal.out(`${name.en}. ${about.en}.\n`);
  for (const { definition, seenIn } of sources) {
    const { tier, categoryHint = 'no hint' } = definition;
    app.terminal.out(`\n${definition.id}: ${definition.name} (${tier}, ${categoryHint})\n`);
    app.terminal.out(`  ${addressOf(definition)}\n  seen in ${seenIn}\n`);
  }
}

const addressOf = (definition: PackedSource['definition']) =>
  definition.kind === 'push' ? 'push' : definition.settings.url;

function selectSources(
  { id, sources }: SourcePack,
  { only }: PackOptions,
): readonly PackedSource[] {
  if (only === undefined) return sources;
  const names = commaSeparated(only);
  const ids = sources.map(({ definition }) => definition.id);
  const unknownIds = names.filter((id) => !ids.includes(id));
  if (unknownIds.length === 0 && names.length > 0) {
    return sources.filter(({ definition }) => names.includes(definition.id));
  }
  const problem =
    unknownIds.length === 0 ? '--only names no source' : `no source ${unknownIds.join(', ')}`;
  throw new Fault('invalid_request', `${id}: ${problem}. There are: ${ids.join(', ')}.`);
}

async function checkPack(app: App, id: string, options: PackOptions): Promise<void> {
  const sources = selectSources(await findPack(app, id), options);
  const failedIds: string[] = [];
  await app.withOfflineApp(async ({ world, robots }) => {
    const progress = openProgress(world.clock, app.terminal);
    for (const [index, { definition }] of sources.entries()) {
      progress.show(`${index + 1} of ${sources.length}: ${definition.id}`);
      const outcome = await trySource(world, robots, definition);
      progress.clear();
      if (outcome.kind === 'failed') failedIds.push(definition.id);
      const result =
        outcome.kind === 'read'
          ? `${outcome.feed.entries.length} entries`
          : `failed: ${formatWarning(outcome.warning, 'en')}`;
      app.terminal.out(`${definition.id}: ${result}\n`);
    }
  });
  if (failedIds.length === 0) return;
  const problem = `${failedIds.length} of ${sources.length} could not be read`;
  throw new Fault('upstream_error', `${problem}: ${failedIds.join(', ')}.`);
}

async function addPack(app: App, id: string, options: PackOptions): Promise<void> {
  const pack = await findPack(app, id);
  const sources = selectSources(pack, options);
  await app.withApp(async (context) => {
    const isFirst = await useRulesOfFirstPack(app, context, pack);
    const folder = isFirst ? pack.folder : context.editorialFolder;
    const categories = await context.readCategories(folder);
    const definitions = sources.map(({ definition }) => withKnownCategory(definition, categories));
    if (folder !== pack.folder) {
      app.terminal.note(
        `The pack has the categories of ${pack.folder}. The radar uses the rules of ${folder}, ` +
          'so categories that they lack are left out.\n',
      );
    }
    const rows = await planDefinitions(context.db, definitions);
    const addedSources = rows.flatMap((row) => (row.kind === 'new' ? [row.definition] : []));
    const result = await storeSources(context.world, context.db, addedSources);
    if (result.kind === 'taken') {
      throw new Fault('invalid_request', `${result.id} was added meanwhile. Nothing was stored.`);
    }
    for (const row of rows) {
      if (row.kind === 'exists') app.terminal.note(`${row.name} exists already, ${row.by}\n`);
      if (row.kind === 'new') app.terminal.out(`added ${row.definition.id}: ${row.name}\n`);
    }
    // With new rules, the processes open their servers again and fetch due sources.
    if (!isFirst) for (const sourceId of result.ids) await context.queueFetch(sourceId);
    if (options.wait) await waitForImport(app, context, result.ids);
  });
}

/**
 * The first sources of a radar set its rules, unless rules were chosen before. Returns whether the
 * radar's rules have changed.
 */
async function useRulesOfFirstPack(
  app: App,
  { world, db, isEditorialFixed, editorialFolder }: CliApp,
  { editorial, folder }: SourcePack,
): Promise<boolean> {
  const rules = editorialChoices.find((choice) => choice === editorial);
  if (isEditorialFixed || rules === undefined || folder === editorialFolder) return false;
  const { editorial: chosenRules } = await readSetupSettings(world, db);
  if (chosenRules !== undefined || (await listSources(db)).length > 0) return false;
  await saveSetupSettings(world, db, { editorial: rules });
  app.terminal.note(`The rules of ${folder} select the items from now on.\n`);
  return true;
}
