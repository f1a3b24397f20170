// Sends load from the second core, at a constant rate or as fast as possible. Also lists paths of
// requests without a cached response.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import type { RateLoad, RateResult } from './rate-load.ts';

const run = promisify(execFile);
export const CONNECTIONS = 50;
/** Pages per list. Each page has a hundred paths, one per limit: more than a run requests. */
const DEPTH = 60;

/** Different paths of pages at every depth. A cursor is valid with every limit. */
export async function listPathsWithCursors(url: string, firstPage: (n: number) => string) {
  const cursorPaths = new Set<string>();
  for (let index = 0; index < 24; index += 1) {
    const first = firstPage(index).replace(/&limit=\d+/, '');
    for (let path = first, depth = 0; depth < DEPTH; depth += 1) {
      const body = await (await fetch(`${url}${path}&limit=20`)).json();
      const { nextCursor } = (body as { page: { nextCursor: string | null } }).page;
      if (nextCursor === null) break;
      path = `${first}&cursor=${nextCursor}`;
      cursorPaths.add(path);
    }
  }
  const paths = [...cursorPaths].flatMap((path) =>
    Array.from({ length: 100 }, (_, limit) => `${path}&limit=${limit + 1}`),
  );
  const random = seededRandom(3);
  return paths
    .map((path) => ({ path, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ path }) => path);
}

export async function loadAtRate(load: RateLoad): Promise<RateResult> {
  const script = join(import.meta.dirname, 'constant-rate.ts');
  const options = JSON.stringify({ ...load, connections: CONNECTIONS });
  const { stdout } = await run('taskset', ['-c', '1', process.execPath, script, options]);
  return JSON.parse(stdout);
}

/** Sends requests whose paths never repeat. */
export const loadUncached = (
  origin: string,
  file: string,
  rate: 'max' | number,
  seconds: number,
): Promise<RateResult> =>
  loadAtRate({ origin, file, rate, seconds, acceptEncoding: 'identity', repeats: false });
