// `radar migrate`: migrates the database to this version and prints the applied migrations.
import { Command } from 'commander';
import type { App } from '../app.ts';

export function migrateCommand(app: App): Command {
  return new Command('migrate')
    .description('Migrates the database to this version. Safe to run again or concurrently.')
    .action(async () => {
      const applied = await app.migrate();
      const { out } = app.terminal;
      if (applied.length === 0) out('The database is up to date.\n');
      for (const name of applied) out(`applied ${name}\n`);
    });
}
