// `radar restore`: restores a backup into an empty database, or only verifies the file.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { runningClock } from '../../kernel/time/clock.ts';
import type { App } from '../app.ts';
import { openProgress } from '../progress.ts';
import { describeBackup } from './backup.ts';
import { passphraseFileFlag, requestPassphrase } from './backup-passphrase.ts';

export function restoreCommand(app: App): Command {
  return new Command('restore')
    .description(
      'Restores an archive of `radar backup` into an empty database and the media folder, all of ' +
        'it or nothing. An older archive is migrated to this version. ' +
        'No process may serve during the restore.',
    )
    .argument('<file>', 'the archive to read')
    .option('--check', 'only verify the archive; no database is changed')
    .option(...passphraseFileFlag)
    .option(
      '--deleted-accounts <file>',
      'a further list of accounts to delete again, besides deleted-accounts.ndjson in the data ' +
        'folder and beside the archive',
    )
    .action(async (file: string, options: RestoreFlags) => {
      const path = resolve(file);
      const passphrase = () => requestPassphrase(app, options.passphraseFile);
      const list = options.deletedAccounts;
      const deletedAccounts = list === undefined ? null : resolve(list);
      if (!options.check) return restore(app, { path, passphrase, deletedAccounts });
      app.terminal.out(
        `The archive is complete: ${describeBackup(await app.checkBackup(path, passphrase))}\n`,
      );
    });
}

type RestoreFlags = {
  readonly check?: boolean;
  readonly passphraseFile?: string;
  readonly deletedAccounts?: string;
};

async function restore(
  app: App,
  options: Omit<Parameters<App['restore']>[0], 'onProgress'>,
): Promise<void> {
  const { out, note } = app.terminal;
  const progress = openProgress(runningClock(), app.terminal);
  const facts = await app.restore({ ...options, onProgress: progress.show });
  progress.clear();
  for (const name of facts.migrated) out(`applied ${name}\n`);
  out(`Restored: ${describeBackup(facts)}\n`);
  if (!facts.hasMediaFolder && facts.media > 0) {
    note('Its media were left out: radar.config.json keeps media in another store.\n');
  }
  for (const id of facts.deletedAgain) out(`deleted again: the account ${id}\n`);
  if (facts.lists.length === 0) {
    note(
      `No list of deleted accounts was found. If accounts were deleted after ${facts.createdAt}, ` +
        'they are back: delete them again with `radar account delete`.\n',
    );
  }
  note(
    `Keys, passwords and sessions are those of ${facts.createdAt}. Revoke again all keys and ` +
      'sessions that were revoked after that time.\n',
  );
}
