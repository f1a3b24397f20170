// A baseline for uncached pages: a `node:http` server that sends as many items as a path requests.
// It keeps all items in memory and serializes those of each response. It has no filters, no ETag
// and no changes. As a program, its argument is a JSON file with an array of items.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type PlainItems = { readonly url: string; close(): void };

/** Starts the server on the first core. `folder` receives the file of its items. */
export async function openPlainItems(
  folder: string,
  items: readonly unknown[],
): Promise<PlainItems> {
  const file = join(folder, 'items.json');
  writeFileSync(file, JSON.stringify(items));
  const child = spawn('taskset', ['-c', '0', process.execPath, import.meta.filename, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}`, close: () => child.kill() };
}

function serveItems(items: readonly unknown[]): void {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? 20);
    const start = hashOf(path) % Math.max(1, items.length - limit);
    const page = { items: items.slice(start, start + limit), nextCursor: String(start + limit) };
    const body = Buffer.from(JSON.stringify(page));
    response
      .writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': body.length,
      })
      .end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}

/** A path has the same items in each request. */
function hashOf(path: string): number {
  let hash = 0;
  for (let index = 0; index < path.length; index += 1) {
    hash = (Math.imul(hash, 31) + path.charCodeAt(index)) >>> 0;
  }
  return hash;
}

if (import.meta.main) serveItems(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
