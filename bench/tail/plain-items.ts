// A baseline for uncached pages: a `node:http` server that sends as many items as a path requests.
// It keeps all items in memory and serializes those of each response. It has no filters, no ETag
// and no changes. As a program, its argument is a JSON file with an array of items.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hashText } from '../../src/kernel/text/hash-text.ts';
import { type NodeServer, startNodeServer } from '../start-node-server.ts';

/** Starts the server. `folder` receives the file of its items. */
export function openPlainItems(folder: string, items: readonly unknown[]): Promise<NodeServer> {
  const file = join(folder, 'items.json');
  writeFileSync(file, JSON.stringify(items));
  return startNodeServer(import.meta.filename, [file]);
}

function serveItems(items: readonly unknown[]): void {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? 20);
    // A path has the same items in each request.
    const start = hashText(path) % Math.max(1, items.length - limit);
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

if (import.meta.main) serveItems(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
