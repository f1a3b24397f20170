// `radar restore`: restores a backup into an empty database, or only verifies that the file is
// whole.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { runningClock } from '../../kernel/time/clock.ts';
import type { App } from '../app.ts';
import { openProgress } from '../progress.ts';
import { describeBackup } from './backup.ts';
import { knownPassphrase, passphraseFileFlag } from './backup-passphrase.ts';

export function restoreCommand(app: App): Command {
  return new Command('restore')
    .description(
      'Fills an empty database, and the media folder, from an archive of `radar backup`: all of ' +
        'it or nothing. An older archive is brought to this version. Nothing may serve meanwhile.',
    )
    .argument('<file>', 'the archive to read')
    .option('--check', 'only read it to its last checksum; no database is touched')
    .option(...passphraseFileFlag)
    .action(async (file: string, options: { check?: boolean; passphraseFile?: string }) => {
      const path = resolve(file);
      const passphrase = () => knownPassphrase(app, options.passphraseFile);
      if (!options.check) return restore(app, path, passphrase);
      app.terminal.out(`It is whole: ${describeBackup(await app.checkBackup(path, passphrase))}\n`);
    });
}

async function restore(app: App, path: string, passphrase: () => Promise<string>): Promise<void> {
  const { out, note } = app.terminal;
  const progress = openProgress(runningClock(), app.terminal);
  const facts = await app.restore(path, passphrase, progress.at);
  progress.clear();
  for (const name of facts.migrated) out(`applied ${name}\n`);
  out(`Restored: ${describeBackup(facts)}\n`);
  if (!facts.keepsMedia && facts.media > 0) {
    note('Its media were left out: radar.config.json keeps media in another store.\n');
  }
  note(
    'Keys, passwords and sessions are those of that moment: what was revoked since is valid ' +
      'again until you revoke it again.\n',
  );
}
