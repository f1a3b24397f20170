// Backup and restore with the database and media folder of the configuration.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFacts, RestoreFacts } from '../../cli/app.ts';
import type { Config } from '../../config.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { World } from '../../kernel/world.ts';
import { insertBackup } from '../../store/backup/backups.ts';
import type { Contents } from '../../store/backup/copy-format.ts';
import { checkArchive } from '../../store/backup/read-archive.ts';
import { restoreBackup } from '../../store/backup/restore-backup.ts';
import { writeBackup } from '../../store/backup/write-backup.ts';
import type { OpenDatabase } from '../../store/platform/open-database.ts';
import { takeServeLock } from '../../store/platform/serve-lock.ts';
import { isServedAlready } from './already-served.ts';

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
type RestoreOptions = ArchiveOptions & { readonly passphrase: () => Promise<string> };

export async function backUp(
  { world, config, openDatabase }: BackupDeps,
  { version, ...order }: BackupOptions,
): Promise<BackupFacts> {
  const { db, close } = await openDatabase();
  const startedAt = world.clock.now();
  // A database of an earlier version lacks this table. Without a database nothing is stored.
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
    const contents = await writeBackup(world, db, { ...order, mediaFolder, program: version });
    await record(contents.bytes, null);
    return factsOf(contents);
  } catch (error) {
    await record(null, messageOf(error));
    throw error;
  } finally {
    await close();
  }
}

/** Locks the data folder meanwhile, like a serving process. */
export async function restore(
  { world, config, openDatabase }: BackupDeps,
  order: RestoreOptions,
): Promise<RestoreFacts> {
  const mediaFolder = mediaFolderOf(config);
  const { db, close } = await openDatabase();
  try {
    const lock = await takeServeLock(world, db, ['radar', 'gateway', 'relay', 'worker']);
    if (lock.kind === 'taken') throw isServedAlready(config.dataDir, lock);
    try {
      const { migrated, ...contents } = await restoreBackup(world, db, { ...order, mediaFolder });
      const facts = factsOf({ ...contents, bytes: (await stat(order.path)).size });
      return { ...facts, migrated, keepsMedia: mediaFolder !== null };
    } finally {
      await lock.release();
    }
  } finally {
    await close();
  }
}

export async function checkBackup(
  path: string,
  passphrase: () => Promise<string>,
): Promise<BackupFacts> {
  const contents = await checkArchive(path, passphrase);
  return factsOf({ ...contents, bytes: (await stat(path)).size });
}

/** Null: the media are in an external store, which a backup does not include. */
function mediaFolderOf({ dataDir, file: { providers } }: Config): string | null {
  return providers.media.kind === 'folder' ? join(dataDir, 'media') : null;
}

const factsOf = ({ manifest, end, bytes }: Contents): BackupFacts => ({
  createdAt: manifest.createdAt,
  program: manifest.program,
  migration: manifest.migrations.at(-1)?.name ?? '',
  tables: end.tables.length,
  rows: end.tables.reduce((sum, { rows }) => sum + rows, 0),
  media: end.media.length,
  bytes,
});
