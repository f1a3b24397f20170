// `radar source try`: what a source would yield, as one JSON object on standard output.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import { formatWarning } from '../../radar/sources/fetch/fetch-warning.ts';
import type { SourceDefinition } from '../../radar/sources/source-settings.ts';
import { tryFile, trySource } from '../../radar/sources/try-source.ts';
import type { App } from '../app.ts';
import { feedAt } from './draft-from-url.ts';

export async function tryOne(app: App, where: string, file: string | null): Promise<void> {
  const isAddress = /^https?:\/\//i.test(where);
  if (!isAddress && !existsSync(where)) {
    throw new Fault('invalid_request', `${where} is neither an http address nor a file.`);
  }
  const source = file === null ? bare(where, isAddress) : await readDefinition(file);
  const outcome = await app.withOutside(({ world, robots }) =>
    isAddress ? trySource(world, robots, source) : tryFile(world, source, where),
  );
  if (outcome.kind === 'failed') {
    throw new Fault(
      'invalid_request',
      `${where} cannot be read: ${formatWarning(outcome.warning, 'en')}`,
    );
  }
  const { format, title, entries, warnings } = outcome.feed;
  for (const warning of warnings) app.terminal.note(`note: ${formatWarning(warning, 'en')}\n`);
  app.terminal.out(`${JSON.stringify({ format, title, entries }, null, 2)}\n`);
}

const bare = (where: string, isAddress: boolean) =>
  feedAt(isAddress ? where : 'http://file.invalid/');

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
