// `radar serve`: starts all components, or those of `--only`, in one process.
import { Command, InvalidArgumentError } from 'commander';
import type { App } from '../app.ts';
import { commaSeparated } from '../program-values.ts';

const parts = ['radar', 'gateway', 'relay', 'worker'];

export function serveCommand(app: App): Command {
  return new Command('serve')
    .description(
      'Starts PostgreSQL (unless DATABASE_URL names one), the radar, the gateway, the relay and ' +
        'the worker.',
    )
    .option('--only <parts>', `some of ${parts.join(', ')}, separated by commas`, parseComponents)
    .option('--no-migrate', 'does not migrate the database; fails if a migration is missing')
    .option('--now <time>', 'demo and tests: start time of the clock (RFC 3339)')
    .action(async (options: { only?: readonly string[]; migrate: boolean; now?: string }) => {
      const { only = parts, migrate, now } = options;
      await app.serve({ only, migrate, ...(now !== undefined && { now }) });
    });
}

function parseComponents(text: string): readonly string[] {
  const names = commaSeparated(text);
  const unknown = names.filter((part) => !parts.includes(part));
  if (unknown.length > 0 || names.length === 0) {
    const description =
      unknown.length > 0
        ? `There is no component called ${unknown.join(', ')}`
        : 'No component is named';
    throw new InvalidArgumentError(`${description}. --only takes some of: ${parts.join(', ')}.`);
  }
  return names;
}
