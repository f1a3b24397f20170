// Measures a backup of a large ledger, and its restore into an empty database.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { restoreBackup } from '../../src/store/backup/restore-backup.ts';
import { writeBackup } from '../../src/store/backup/write-backup.ts';
import { openEmptyDatabase } from '../open-database.ts';
import type { BenchRow } from '../row.ts';

const commonOptions = { mediaFolder: null, onProgress: () => {} };

/** Fails when the restored ledger does not pass the audit since its checkpoint. */
export async function timeBackup(
  world: World,
  db: Db,
  folder: string,
): Promise<readonly BenchRow[]> {
  const path = join(folder, 'backup.tar.gz');
  const targetDatabase = await openEmptyDatabase();
  try {
    const startedAt = performance.now();
    const archive = { ...commonOptions, path, passphrase: null, program: 'bench' };
    const { end, bytes } = await writeBackup(world, db, archive);
    const writtenAt = performance.now();
    await restoreBackup(world, targetDatabase.db, {
      ...commonOptions,
      path,
      passphrase: async () => '',
    });
    const restoredAt = performance.now();
    const { isIntact } = await auditLedger(world, targetDatabase.db, 'since-checkpoint');
    if (!isIntact) throw new Error('the restored ledger is not consistent');
    const rows = end.tables.reduce((sum, table) => sum + table.rows, 0);
    const note = `${rows} rows, ${(bytes / 1e6).toFixed(0)} MB`;
    return [
      { name: 'backup', value: (writtenAt - startedAt) / 1_000, unit: 's', note },
      { name: 'restore', value: (restoredAt - writtenAt) / 1_000, unit: 's', note },
    ];
  } finally {
    await targetDatabase.close();
    await rm(path, { force: true });
  }
}
