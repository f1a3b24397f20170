// Only this file writes `backups`: the history of backups with their outcomes. A failure raises an
// alert.
import type { Selectable } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';

export type BackupRow = Readonly<Selectable<Schema['backups']>>;

const KEEP_MS = 365 * 86_400_000;

/** Also deletes rows of backups that ended more than a year before this one. */
export async function insertBackup(db: Db, row: BackupRow): Promise<void> {
  await sqlOf(db)
    .deleteFrom('backups')
    .where('finished_at', '<', instant(row.finished_at - KEEP_MS))
    .execute();
  await sqlOf(db)
    .insertInto('backups')
    .values({
      id: row.id,
      started_at: toTimestamp(row.started_at),
      finished_at: toTimestamp(row.finished_at),
      bytes: row.bytes,
      error: row.error,
    })
    .execute();
}

/** The backup that ended last, failed or not; null: there is none. */
export async function findNewestBackup(db: Db): Promise<BackupRow | null> {
  const row = await sqlOf(db)
    .selectFrom('backups')
    .selectAll()
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}
