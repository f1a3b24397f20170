// Processor time of an embedded server, of all its processes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds since its start, also of ended processes that the main process has waited for. */
export function serverProcessorMs(dataDir: string): number {
  const main = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  const fieldsOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    } catch {
      return [];
    }
  };
  const sum = (fields: readonly string[], places: readonly number[]) =>
    places.reduce((ticks, place) => ticks + Number(fields[place] ?? 0), 0);
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
  return children
    .map((pid) => ({ pid, fields: fieldsOf(pid) }))
    .filter(({ pid, fields }) => pid === main || fields[1] === main)
    .reduce((ms, { pid, fields }) => {
      const places = pid === main ? [11, 12, 13, 14] : [11, 12];
      return ms + sum(fields, places) * 10;
    }, 0);
}
