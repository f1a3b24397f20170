// Reads the processor time of an embedded server's sessions and permanent processes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The sum of the processor time, in milliseconds, of all processes that run now. Autovacuum workers
 * are left out, because their time is lost when they end.
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
