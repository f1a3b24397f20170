// Creates a folder for the files of one call and deletes the folder when the call ends. The
// folder's name contains the process id, so that the next process can delete the folders of a
// killed process.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostName, isProcessAlive, processStartedAt } from '../../../kernel/files/process.ts';

/**
 * Other machines and containers may share the temporary folder. Their process ids have no meaning
 * on this host.
 */
const hostHash = createHash('sha256').update(hostName()).digest('hex').slice(0, 8);
const folderPrefix = `radar-media-${hostHash}-`;

export async function withWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes folders of ended processes of this machine; returns their number. */
export async function removeAbandonedFolders(): Promise<number> {
  let removedCount = 0;
  for (const name of await readdir(tmpdir())) {
    const pid =
      name.startsWith(folderPrefix) && /^(\d+)-/.exec(name.slice(folderPrefix.length))?.[1];
    if (!pid || !(await isAbandoned(join(tmpdir(), name), Number(pid)))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
    removedCount += 1;
  }
  return removedCount;
}

async function isAbandoned(folder: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isProcessAlive(pid);
  // In containers, process ids repeat, so a folder that is older than this process is abandoned.
  const stats = await stat(folder).catch(() => null);
  return stats !== null && stats.mtimeMs < processStartedAt();
}
