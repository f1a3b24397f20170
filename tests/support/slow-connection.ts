// Serves a site over a slow connection: its pages arrive in small pieces, and its fonts arrive
// last.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { atEnd } from './at-end.ts';

const PIECE_BYTES = 400;
/** Long enough for a browser to render a piece before the next one arrives. */
const PAUSE_MS = 40;
const FONT_DELAY_MS = 1_000;

/**
 * Call in a test file; returns the origin of the slow site. It forwards no cookies, so pages with a
 * session do not work.
 */
export async function openSlowConnection(site: string): Promise<string> {
  const server = createServer(async (req, res) => {
    const response = await fetch(site + req.url);
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type') ?? '';
    res.writeHead(response.status, { 'content-type': type });
    if (type.startsWith('font/')) await pause(FONT_DELAY_MS);
    const pieceBytes = type.startsWith('text/html') ? PIECE_BYTES : body.length;
    for (let index = 0; index < body.length; index += pieceBytes) {
      res.write(body.subarray(index, index + pieceBytes));
      if (index + pieceBytes < body.length) await pause(PAUSE_MS);
    }
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
