// Starts nginx as the baseline. One worker on the first core serves the radar's responses as files.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export type StaticResponse = {
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

export type BenchNginx = {
  /** Origins without and with open_file_cache, of the same worker. */
  readonly url: string;
  readonly cachedUrl: string;
  readonly pid: number;
  close(): void;
};

/** Paths of the n-th response: `/<n>.json`, which gzip_static sends as gzip, and `/br/<n>.json`. */
export async function openBenchNginx(
  nginx: string,
  folder: string,
  responses: readonly StaticResponse[],
): Promise<BenchNginx> {
  for (const subfolder of ['temp', 'files/br'])
    mkdirSync(join(folder, subfolder), { recursive: true });
  for (const [index, { identity, gzip, br }] of responses.entries()) {
    writeFileSync(join(folder, `files/${index}.json`), identity);
    writeFileSync(join(folder, `files/${index}.json.gz`), gzip);
    writeFileSync(join(folder, `files/br/${index}.json`), br);
  }
  const [port, cachedPort] = [await freePort(), await freePort()];
  const config = readFileSync(join(import.meta.dirname, '../nginx.conf'), 'utf8')
    .replaceAll('@port@', String(port))
    .replaceAll('@cached_port@', String(cachedPort));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, config);
  const master = spawn('taskset', ['-c', '0', nginx, '-p', folder, '-c', file], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await respondsAt(`${url}/0.json`))) await setTimeout(20);
  return {
    url,
    cachedUrl: `http://127.0.0.1:${cachedPort}`,
    pid: Number(readFileSync(`/proc/${master.pid}/task/${master.pid}/children`, 'utf8').trim()),
    close: () => master.kill('SIGTERM'),
  };
}

const respondsAt = (url: string) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
