// Facts about the installation for the health page: processes, backup, integrity check and disk.
import { readFreeShare } from '../kernel/files/free-space.ts';
import type { Db } from '../kernel/ports/db.ts';
import { findNewestBackup } from '../store/backup/backups.ts';
import { findLastIntegrityCheckRow } from '../store/ledger/integrity-checks.ts';
import { listServingNodes } from '../store/platform/nodes.ts';
import { findWorkerTickAt } from '../store/platform/worker-ticks.ts';

export type InstallationFacts = {
  /** Processes that hold a connection now. */
  readonly nodes: readonly {
    readonly host: string;
    readonly parts: readonly string[];
    readonly startedAt: number;
  }[];
  /** Null: no worker has run. */
  readonly workerTickAt: number | null;
  /** The newest backup; null: no backup was made. */
  readonly backup: { readonly at: number; readonly error: string | null } | null;
  /** The newest finished check; null: none has finished. */
  readonly ledgerCheck: { readonly at: number; readonly broken: number } | null;
  /** Free share of the disk of the embedded database; null: the database is on a server. */
  readonly freeDisk: number | null;
  readonly program: string;
};

export async function readInstallationFacts(
  db: Db,
  { dataDir, program }: { readonly dataDir: string | null; readonly program: string },
): Promise<InstallationFacts> {
  const nodes = (await listServingNodes(db)).filter(({ isConnected }) => isConnected);
  const backup = await findNewestBackup(db);
  const check = await findLastIntegrityCheckRow(db);
  return {
    nodes: nodes.map(({ host, parts, started_at }) => ({ host, parts, startedAt: started_at })),
    workerTickAt: await findWorkerTickAt(db),
    backup: backup === null ? null : { at: backup.finished_at, error: backup.error },
    ledgerCheck:
      check === null || check.finished_at === null
        ? null
        : {
            at: check.finished_at,
            broken: check.results.reduce((sum, { broken }) => sum + broken, 0),
          },
    freeDisk: dataDir === null ? null : await readFreeShare(dataDir),
    program,
  };
}
