// `radar source add --opml` and `radar source export`: sources as OPML 2.0 files.
import { readFile } from 'node:fs/promises';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import {
  type ImportRow,
  planOpmlImport,
  storeSources,
} from '../../radar/sources/setup/import-sources.ts';
import { readOpml } from '../../radar/sources/setup/read-opml.ts';
import { writeOpml } from '../../radar/sources/setup/write-opml.ts';
import { listDefinitions } from '../../radar/sources/stored-source.ts';
import type { App } from '../app.ts';
import { commaSeparated } from '../program-values.ts';
import { waitForImport } from './import-progress.ts';
import { noteFirstRules } from './note-first-rules.ts';

type OpmlImportOptions = { readonly folder?: string; readonly wait?: boolean };

export async function importOpml(
  app: App,
  file: string,
  options: OpmlImportOptions,
): Promise<void> {
  const opml = readOpml(await readBytes(file));
  if (opml.kind === 'invalid') {
    const { line, problem } = opml.problem;
    throw new Fault('invalid_request', `${file}, line ${line}: ${problem.en}.`);
  }
  await app.withApp(async (context) => {
    const folders = options.folder === undefined ? null : commaSeparated(options.folder);
    const rows = (await planOpmlImport(context.db, opml)).filter(
      ({ folder }) => folders === null || folders.includes(folder),
    );
    if (rows.length === 0)
      throw new Fault('invalid_request', noOutlineMessage(file, opml.outlines));
    const newSources = rows.flatMap((row) => (row.kind === 'new' ? [row.definition] : []));
    const result = await storeSources(context.world, context.db, newSources);
    if (result.kind === 'taken') {
      const message = `${result.id} was added meanwhile. Nothing was stored; try again`;
      throw new Fault('invalid_request', `${file}: ${message}.`);
    }
    for (const row of rows) printRow(app, row);
    for (const id of result.ids) await context.queueFetch(id);
    const count = (kind: ImportRow['kind']) => rows.filter((row) => row.kind === kind).length;
    const counts = `${count('new')} added, ${count('exists')} existing`;
    app.terminal.note(`${counts}, ${count('refused')} refused\n`);
    await noteFirstRules(app, context, result.ids.length);
    if (options.wait) await waitForImport(app, context, result.ids);
  });
}

const noOutlineMessage = (file: string, outlines: readonly { readonly folder: string }[]) => {
  const folders = [...new Set(outlines.map(({ folder }) => folder).filter(Boolean))];
  const folderNames = folders.length === 0 ? 'none' : folders.join(', ');
  return `${file}: no feed in the file or in the requested folders. Its folders: ${folderNames}.`;
};

function printRow({ terminal }: App, row: ImportRow): void {
  if (row.kind === 'new') terminal.out(`added ${row.definition.id}: ${row.definition.name}\n`);
  if (row.kind === 'exists') {
    const reason = row.isStored ? 'exists already' : 'has the address of an earlier line';
    terminal.note(`line ${row.line}: ${row.name} ${reason}, ${row.by}\n`);
  }
  if (row.kind === 'refused') {
    const name = row.name === '' ? '' : `${row.name}: `;
    terminal.note(`line ${row.line}: refused: ${name}${row.reasons.join('; ')}\n`);
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file);
  } catch (error) {
    throw new Fault('invalid_request', `${file}: ${messageOf(error)}`);
  }
}

export async function exportOpml(app: App): Promise<void> {
  await app.withApp(async ({ world, db, name }) => {
    const { text, omittedIds } = writeOpml(name, await listDefinitions(db), world.clock.now());
    for (const id of omittedIds)
      app.terminal.note(`${id} is left out: its address contains a key\n`);
    app.terminal.out(text);
  });
}
