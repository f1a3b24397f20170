// Makes and restores backups of the configured database and media folder.
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BackupFacts, RestoreFacts } from '../../cli/app.ts';
import type { Config } from '../../config.ts';
import { deleteAgain } from '../../gateway/accounts/delete-account.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { SHELL, withAudit } from '../../operators/audit-log.ts';
import { checkArchivePath } from '../../store/backup/archive-writer.ts';
import { insertBackup } from '../../store/backup/backups.ts';
import type { ArchiveContents } from '../../store/backup/copy-format.ts';
import {
  DELETED_ACCOUNTS_FILE,
  type DeletedAccount,
  readDeletedAccounts,
  recordDeletedAccounts,
} from '../../store/backup/deleted-accounts.ts';
import { checkArchive, requireReadable } from '../../store/backup/read-archive.ts';
import { restoreBackup } from '../../store/backup/restore-backup.ts';
import { writeBackup } from '../../store/backup/write-backup.ts';
import { openOutbox } from '../../store/gateway/outgoing-mails.ts';
import type { OpenDatabase } from '../../store/platform/open-database.ts';
import { lockServing } from '../../store/platform/serve-lock.ts';
import { alreadyServedFault } from './already-served.ts';

export type BackupDeps = {
  readonly world: World;
  readonly config: Config;
  readonly openDatabase: () => Promise<OpenDatabase>;
};
type ArchiveOptions = { readonly path: string; readonly onProgress: (text: string) => void };
type BackupOptions = ArchiveOptions & {
  readonly passphrase: string | null;
  readonly version: string;
};
type RestoreOptions = ArchiveOptions & {
  readonly passphrase: () => Promise<string>;
  /**
   * A further file of deleted accounts; null: none. The files in the data folder and in the
   * archive's folder are always read.
   */
  readonly deletedAccounts: string | null;
};

export async function backUp(
  { world, config, openDatabase }: BackupDeps,
  { version, ...options }: BackupOptions,
): Promise<BackupFacts> {
  // A mistyped path is no failed backup, so it is refused before anything is recorded.
  await checkArchivePath(options.path);
  const { db, close } = await openDatabase();
  const startedAt = world.clock.now();
  // A failure is only logged, because a database of an earlier version has no table `backups`.
  const record = (bytes: number | null, error: string | null) =>
    insertBackup(db, {
      id: `bak_${world.ids.next()}`,
      started_at: startedAt,
      finished_at: world.clock.now(),
      bytes,
      error,
    }).catch((problem) =>
      world.log.warn({ error: messageOf(problem) }, 'the outcome of a backup was not stored'),
    );
  try {
    const mediaFolder = mediaFolderOf(config);
    const contents = await writeBackup(world, db, { ...options, mediaFolder, program: version });
    if (canDeleteAccounts(contents)) await recordDeletedAccounts(db, dirname(options.path));
    await record(contents.bytes, null);
    return archiveFacts(contents);
  } catch (error) {
    await record(null, messageOf(error));
    throw error;
  } finally {
    await close();
  }
}

/** Holds the lock of the data folder during the restore, like a serving process. */
export async function restore(
  { world, config, openDatabase }: BackupDeps,
  options: RestoreOptions,
): Promise<RestoreFacts> {
  const mediaFolder = mediaFolderOf(config);
  // A mistyped path makes no data folder.
  await requireReadable(options.path);
  const deletionLists = await readDeletionLists(config, options);
  const { db, close } = await openDatabase();
  try {
    const lock = await lockServing(world, db, ['radar', 'gateway', 'relay', 'worker']);
    if (lock.kind === 'taken') throw alreadyServedFault(config.dataDir, lock);
    try {
      const deletedAgain: string[] = [];
      const beforeCommit = async (tx: Db) => {
        if (deletionLists.accounts.length === 0) return;
        const outbox = await openOutbox(world, tx);
        for (const account of deletionLists.accounts) {
          const entry = await withAudit(world, tx, SHELL, async (transaction) => {
            const auditEntry = await deleteAgain(world, transaction, account, outbox);
            return { outcome: auditEntry, entry: auditEntry };
          });
          if (entry !== null) deletedAgain.push(account.id);
        }
      };
      const restoreRequest = { ...options, mediaFolder, beforeCommit };
      const { migrated, ...contents } = await restoreBackup(world, db, restoreRequest);
      const facts = archiveFacts({ ...contents, bytes: (await stat(options.path)).size });
      const { files } = deletionLists;
      return {
        ...facts,
        migrated,
        hasMediaFolder: mediaFolder !== null,
        deletedAgain,
        lists: files,
      };
    } finally {
      await lock.release();
    }
  } finally {
    await close();
  }
}

async function readDeletionLists(
  { dataDir }: Config,
  { path, deletedAccounts }: RestoreOptions,
): Promise<{ readonly files: readonly string[]; readonly accounts: readonly DeletedAccount[] }> {
  const folders = new Set([dataDir, dirname(path)]);
  const paths = [...folders].map((folder) => join(folder, DELETED_ACCOUNTS_FILE));
  if (deletedAccounts !== null) paths.push(deletedAccounts);
  const files: string[] = [];
  const accounts: DeletedAccount[] = [];
  for (const file of paths) {
    const list = await readDeletedAccounts(file);
    if (list !== null) {
      files.push(file);
      accounts.push(...list);
    } else if (file === deletedAccounts) {
      throw new Fault('invalid_request', `There is no file ${file}. Nothing was restored.`);
    }
  }
  return { files, accounts };
}

export async function checkBackup(
  path: string,
  passphrase: () => Promise<string>,
): Promise<BackupFacts> {
  const contents = await checkArchive(path, passphrase);
  return archiveFacts({ ...contents, bytes: (await stat(path)).size });
}

/** False for a database of an earlier version, which could not delete an account. */
const canDeleteAccounts = ({ manifest }: ArchiveContents): boolean =>
  manifest.tables.some(
    ({ name, columns }) => name === 'public.accounts' && columns.includes('deleted_at'),
  );

/** Null: the media are in an external store, which a backup does not include. */
function mediaFolderOf({ dataDir, file: { providers } }: Config): string | null {
  return providers.media.kind === 'folder' ? join(dataDir, 'media') : null;
}

const archiveFacts = ({ manifest, end, bytes }: ArchiveContents): BackupFacts => ({
  createdAt: manifest.createdAt,
  program: manifest.program,
  migration: manifest.migrations.at(-1)?.name ?? '',
  tables: end.tables.length,
  rows: end.tables.reduce((sum, { rows }) => sum + rows, 0),
  media: end.media.length,
  bytes,
});
