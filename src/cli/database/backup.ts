// `radar backup`: copies the database, as of one moment, and the media into one file.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { runningClock } from '../../kernel/time/clock.ts';
import type { App, BackupFacts } from '../app.ts';
import { openProgress } from '../progress.ts';
import { passphraseFileFlag, requestNewPassphrase } from './backup-passphrase.ts';

export function backupCommand(app: App): Command {
  return new Command('backup')
    .description(
      'Copies the database at one moment, and the media, into a new file (.tar.gz), also while ' +
        'the radar serves. The file contains every secret of the database, so only the user who ' +
        'runs the command can read it. ' +
        'An encrypted file (.tar.gz.age) also opens with `age --decrypt`.',
    )
    .argument('<file>', 'path of the new archive; an existing file is not overwritten')
    .option('--encrypt', 'encrypt the archive with a passphrase')
    .option(...passphraseFileFlag)
    .action(async (file: string, options: { encrypt?: boolean; passphraseFile?: string }) => {
      const isEncrypted = options.encrypt || options.passphraseFile !== undefined;
      const passphrase = isEncrypted
        ? await requestNewPassphrase(app, options.passphraseFile)
        : null;
      const progress = openProgress(runningClock(), app.terminal);
      const facts = await app.backUp(resolve(file), passphrase, progress.show);
      progress.clear();
      const encryption = passphrase === null ? '' : 'encrypted, ';
      app.terminal.out(`${resolve(file)}: ${encryption}${describeBackup(facts)}\n`);
    });
}

/** The contents of an archive, as one line. */
export function describeBackup({
  tables,
  rows,
  media,
  bytes,
  migration,
  createdAt,
}: BackupFacts): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return (
    `${rows} rows of ${tables} tables, ${media} media files, ${size}, as of ${createdAt}, ` +
    `migrated to ${migration.replace('.sql', '')}.`
  );
}
