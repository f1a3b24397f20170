// Requests without a cached response: their paths, and their load at a constant rate or as fast as
// possible, from the second core.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import type { RateResult } from './constant-rate.ts';

const run = promisify(execFile);
export const CONNECTIONS = 50;

/** Pages at any depth: the same cursor is valid with any limit, and no address repeats. */
export async function pathsWithCursors(url: string, firstPage: (n: number) => string) {
  const cursors = new Map<string, string>();
  for (let n = 0; n < 24; n += 1) {
    const first = firstPage(n).replace(/&limit=\d+/, '');
    for (let path = first, depth = 0; depth < 20; depth += 1) {
      const body = await (await fetch(`${url}${path}&limit=100`)).json();
      const { nextCursor } = (body as { page: { nextCursor: string | null } }).page;
      if (nextCursor === null) break;
      path = `${first}&cursor=${nextCursor}`;
      cursors.set(path, path);
    }
  }
  const paths = [...cursors.keys()].flatMap((path) =>
    Array.from({ length: 100 }, (_, limit) => `${path}&limit=${limit + 1}`),
  );
  const random = seededRandom(3);
  return paths
    .map((path) => ({ path, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ path }) => path);
}

export async function loadAtRate(
  url: string,
  file: string,
  rate: 'max' | number,
  seconds: number,
): Promise<RateResult> {
  const script = join(import.meta.dirname, 'constant-rate.ts');
  const { stdout } = await run('taskset', [
    ...['-c', '1', process.execPath, script, url, file],
    ...[String(rate), String(seconds), String(CONNECTIONS)],
  ]);
  return JSON.parse(stdout);
}
