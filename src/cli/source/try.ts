// `radar source try`: prints the entries that a source would yield, as one JSON object.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import { formatWarning } from '../../radar/sources/fetch/fetch-warning.ts';
import type { ParsedFeed } from '../../radar/sources/parse/entry.ts';
import { parseTemplate } from '../../radar/sources/setup/parse-template.ts';
import { resolveLine } from '../../radar/sources/setup/resolve-line.ts';
import type { TemplateAddresses } from '../../radar/sources/setup/template-addresses.ts';
import type { SourceDefinition } from '../../radar/sources/source-settings.ts';
import { tryFile, trySource } from '../../radar/sources/try-source.ts';
import type { App } from '../app.ts';
import { defineFeed } from './define-feed.ts';
import { describeLine } from './describe-line.ts';

export async function printEntries(app: App, target: string, file: string | null): Promise<void> {
  const isAddress = /^https?:\/\//i.test(target);
  if (!isAddress && !existsSync(target)) {
    const addresses = await app.readTemplateAddresses();
    const parsed = parseTemplate(target, addresses);
    if (parsed.kind === 'none') {
      const message = 'neither an http address, a template line nor a file';
      throw new Fault('invalid_request', `${target} is ${message}.`);
    }
    return tryLine(app, target, addresses);
  }
  const source = file === null ? defaultDefinition(target, isAddress) : await readDefinition(file);
  const outcome = await app.withOfflineApp(({ world, robots }) =>
    isAddress ? trySource(world, robots, source) : tryFile(world, source, target),
  );
  if (outcome.kind === 'failed') {
    throw new Fault(
      'invalid_request',
      `${target} cannot be read: ${formatWarning(outcome.warning, 'en')}`,
    );
  }
  printFeed(app, outcome.feed);
}

/** The definition from a line, and the entries that it yields. */
async function tryLine(app: App, line: string, addresses: TemplateAddresses): Promise<void> {
  const resolved = await app.withOfflineApp((offlineApp) =>
    resolveLine({ ...offlineApp, addresses, canOpenLoopback: true }, line),
  );
  if (resolved.kind !== 'source') throw new Fault('invalid_request', describeLine(line, resolved));
  app.terminal.note(`definition: ${JSON.stringify(resolved.definition)}\n`);
  if (resolved.feed !== null) printFeed(app, resolved.feed);
}

function printFeed(app: App, { format, title, entries, warnings }: ParsedFeed): void {
  for (const warning of warnings) app.terminal.note(`note: ${formatWarning(warning, 'en')}\n`);
  app.terminal.out(`${JSON.stringify({ format, title, entries }, null, 2)}\n`);
}

const defaultDefinition = (target: string, isAddress: boolean) =>
  defineFeed(isAddress ? target : 'http://file.invalid/');

async function readDefinition(path: string): Promise<SourceDefinition> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Fault('invalid_request', `${path}: ${messageOf(error)}`);
  }
  const { parseSourceDefinition } = await import('../../radar/sources/source-settings.ts');
  const parsed = parseSourceDefinition(json);
  if (parsed.kind === 'source') return parsed.source;
  throw new Fault('invalid_request', `${path}: ${parsed.problems.join('; ')}`);
}
