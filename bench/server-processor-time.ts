// Processor time of an embedded server: its sessions and permanent processes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Milliseconds since the start of each process that runs now. Workers of autovacuum are left out,
 * because they end at any time.
 */
export function serverProcessorMs(dataDir: string): number {
  const serverPid =
    readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  const readProcFile = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  const parentOf = (pid: string) => readProcFile(pid, 'stat').split(') ').at(-1)?.split(' ')[1];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && (pid === serverPid || parentOf(pid) === serverPid))
    .filter((pid) => !readProcFile(pid, 'cmdline').includes('autovacuum worker'))
    .reduce((ms, pid) => ms + Number(readProcFile(pid, 'schedstat').split(' ')[0]) / 1e6, 0);
}
