// Sends load from the second core: wrk requests the addresses of a file in turn. The server's
// processor time is read from the system, because it does not contain the load of other programs.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Target = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
};

export type BenchRequest = {
  readonly path: string;
  /** ETag for If-None-Match. */
  readonly etag?: string;
};

export type Load = {
  readonly wrk: string;
  readonly seconds: number;
  readonly acceptEncoding: string;
  readonly requests: readonly BenchRequest[];
  /** The file of addresses is written into this folder. */
  readonly folder: string;
};

export type LoadResult = {
  readonly perSecond: number;
  /** Requests per second of processor time of the server's process. */
  readonly perCpuSecond: number;
  readonly bytesEach: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

/**
 * Fails when a request was refused or broken, because such responses are cheap and would distort
 * the result.
 */
export async function measure(target: Target, load: Load): Promise<LoadResult> {
  const file = join(load.folder, `${target.name}.txt`);
  writeFileSync(file, load.requests.map(({ path, etag = '' }) => `${path}\t${etag}\n`).join(''));
  const secondsBefore = cpuSeconds(target.pid);
  const { stdout } = await run('taskset', [
    ...['-c', '1', load.wrk, '-t1', '-c50', `-d${load.seconds}s`],
    ...['-H', `Accept-Encoding: ${load.acceptEncoding}`],
    ...['-s', join(import.meta.dirname, '../wrk.lua'), target.url, '--', file],
  ]);
  const spentSeconds = cpuSeconds(target.pid) - secondsBefore;
  const reply = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  if (reply.refused > 0 || reply.broken > 0) throw new Error(`${target.name}: ${stdout}`);
  return {
    perSecond: reply.requests / reply.seconds,
    perCpuSecond: reply.requests / spentSeconds,
    bytesEach: reply.bytes / reply.requests,
    p50Ms: reply.p50Ms,
    p99Ms: reply.p99Ms,
    maxMs: reply.maxMs,
  };
}

/**
 * Processor time of the server's threads. Threads of the lowest priority are excluded, because they
 * only compress in idle time. On a busy machine they would count as the cost of a response.
 */
export function cpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, id) => sum + threadSeconds(`/proc/${pid}/task/${id}/stat`), 0);
}

// proc(5): user and system time in clock ticks of a hundredth of a second, and niceness.
function threadSeconds(file: string): number {
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[16]) === 19 ? 0 : (Number(fields[11]) + Number(fields[12])) / 100;
}
