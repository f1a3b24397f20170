// `radar source …`: sources and their tokens. A command loads its modules when it runs, so `try`
// with a file does not load the database driver.
import { Command } from 'commander';
import { Fault } from '../../kernel/errors/fault.ts';
import { sourceTemplates } from '../../radar/sources/setup/parse-template.ts';
import type { App } from '../app.ts';
import { wholeNumber } from '../program-values.ts';
import type { SourceCheckOptions } from './check.ts';

export function sourceCommand(app: App): Command {
  const command = new Command('source').description(
    'Sources: the feeds and sites that the radar reads.',
  );
  command.addCommand(addCommand(app));
  command.addCommand(tryCommand(app));
  command
    .command('list')
    .description(
      'Lists all sources with their items, their delay, and the result of the last fetch.',
    )
    .option('--json', 'as JSON')
    .option('--opml', 'print OPML 2.0, which feed readers and radar source add --opml can import')
    .action(async (options: { json?: boolean; opml?: boolean }) => {
      const { exportOpml } = await import('./opml.ts');
      if (options.opml) return exportOpml(app);
      const { listSourceRows } = await import('./list.ts');
      await listSourceRows(app, options.json ?? false);
    });
  command
    .command('export')
    .description('Prints every source as OPML 2.0; keys and tokens are left out.')
    .option('--opml', 'the only format, and the default')
    .action(async () => {
      const { exportOpml } = await import('./opml.ts');
      await exportOpml(app);
    });
  command
    .command('check')
    .description('Fetches sources once and prints the fields of their items. Nothing is stored.')
    .argument('[ids...]')
    .option('--all', 'every source that has an address')
    .option('--json', 'as JSON')
    .action(async (ids: string[], options: SourceCheckOptions) => {
      const { checkSources } = await import('./check.ts');
      await checkSources(app, ids, options);
    });
  command
    .command('token')
    .description('Creates the bearer token of a push source and prints it once.')
    .argument('<id>')
    .option('--revoke', 'revoke the token instead')
    .action(async (id: string, options: { revoke?: boolean }) => {
      const { changeToken } = await import('./token.ts');
      await changeToken(app, id, options.revoke ?? false);
    });
  for (const [name, status, description] of [
    ['pause', 'paused', 'Stops fetching a source; its items stay public.'],
    ['resume', 'active', 'Fetches a paused or gone source again.'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .argument('<id>')
      .action((id: string) => changeStatus(app, id, status));
  }
  command
    .command('remove')
    .description('Removes a source. Its items stay public.')
    .argument('<id>')
    .action((id: string) => removeSource(app, id));
  return command;
}

function addCommand(app: App): Command {
  return new Command('add')
    .description('Adds a source after one test fetch.')
    .argument('[line]', 'a template line, the address of a feed, or the address of a site')
    .option(
      '--file <file>',
      'definitions as JSON: one, a list, or { "sources": [] }; - reads stdin',
    )
    .option('--opml <file>', 'every feed of an OPML 2.0 file; - reads stdin')
    .option('--folder <names>', 'with --opml: only these folders, separated by commas')
    .option('--only <ids>', 'with --file: only the sources with these ids, separated by commas')
    .option('--id <id>', 'lower-case words joined by hyphens; default: made from the name')
    .option('--name <name>', 'name that readers see; default: the title of the feed')
    .option('--owner <owner>', 'the owner of the source; default: its name')
    .option('--tier <tier>', 'T1 a first party, T1_5 a trusted professional, T2 others')
    .option('--language <tag>', 'BCP 47 tag; default: the language of the feed')
    .option(
      '--interval <minutes>',
      'minutes between two fetches at first; the radar adapts the interval',
      wholeNumber,
    )
    .option('--participation <how>', 'editorial, signal or isolated')
    .option('--unread', 'add the source even if the test fetch fails')
    .option('--wait', 'return when the items of the first fetch are public')
    .addHelpText('after', `\nTemplate lines:\n${templateForms()}`)
    .action(async (url: string | undefined, options) => {
      const { addSources } = await import('./add.ts');
      await addSources(app, url, options);
    });
}

const templateForms = () =>
  Object.values(sourceTemplates)
    .map(({ forms }) => `  ${forms}\n`)
    .join('');

function tryCommand(app: App): Command {
  return new Command('try')
    .description('Prints the items of a source as JSON. Nothing is stored.')
    .argument('<where>', 'a template line, an address, or a file with a document')
    .option('--file <file>', 'a definition as JSON; <where> is then parsed as that kind of source')
    .action(async (where: string, options: { file?: string }) => {
      const { printEntries } = await import('./try.ts');
      await printEntries(app, where, options.file ?? null);
    });
}

async function removeSource(app: App, id: string): Promise<void> {
  const { removeSourceById } = await import('../../radar/sources/set-status.ts');
  await app.withApp(async ({ world, db }) => {
    if (!(await removeSourceById(world, db, id))) {
      throw new Fault('not_found', `There is no source called ${id}. See: radar source list`);
    }
    app.terminal.out(`${id} is removed.\n`);
  });
}

async function changeStatus(app: App, id: string, status: 'paused' | 'active'): Promise<void> {
  const { changeSourceStatus } = await import('../../radar/sources/set-status.ts');
  await app.withApp(async ({ world, db }) => {
    if (!(await changeSourceStatus(world, db, id, status))) {
      throw new Fault('not_found', `There is no source called ${id}. See: radar source list`);
    }
    app.terminal.out(`${id} is ${status}.\n`);
  });
}
