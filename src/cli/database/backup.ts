// `radar backup`: everything in the database at one moment, and the media, in one file.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { runningClock } from '../../kernel/time/clock.ts';
import type { App, BackupFacts } from '../app.ts';
import { openProgress } from '../progress.ts';

export function backupCommand(app: App): Command {
  return new Command('backup')
    .description(
      'Copies the database at one moment, and the media, into a new file (.tar.gz), also while ' +
        'the radar serves. It holds every secret of the database: only its owner can read it.',
    )
    .argument('<file>', 'the archive to write; one that is there is not overwritten')
    .action(async (file: string) => {
      const progress = openProgress(runningClock(), app.terminal);
      const facts = await app.backUp(resolve(file), progress.at);
      progress.clear();
      app.terminal.out(`${resolve(file)}: ${inWords(facts)}\n`);
    });
}

/** What an archive holds, in one line. */
export function inWords({ tables, rows, media, bytes, migration, createdAt }: BackupFacts): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return (
    `${rows} rows of ${tables} tables, ${media} media files, ${size}, as of ${createdAt}, ` +
    `migrated to ${migration.replace('.sql', '')}.`
  );
}
