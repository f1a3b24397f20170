// Records the requests of a client as they arrive. A server records each request and forwards it
// unchanged. A proxy for all other hosts refuses every request and records the host.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { atEnd } from '../support/at-end.ts';

export type TappedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body, which may be compressed. */
  readonly bytes: Buffer;
  readonly status: number;
};

const originOf = (address: AddressInfo | string | null) =>
  `http://127.0.0.1:${(address as AddressInfo).port}`;

export async function openTap(origin: string) {
  const requests: TappedRequest[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const { method = 'GET', url: path = '/', headers } = req;
    const forwardedRequest = request(new URL(path, origin), { method, headers }, (response) => {
      requests.push({ method, path, headers, bytes, status: response.statusCode ?? 0 });
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
      response.on('error', () => res.destroy());
    });
    forwardedRequest.on('error', () => res.destroy());
    res.on('close', () => forwardedRequest.destroy());
    forwardedRequest.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: originOf(server.address()), requests };
}

export async function openRefusingProxy() {
  const hosts: string[] = [];
  const server = createServer((req, res) => {
    hosts.push(String(req.url));
    res.writeHead(403).end();
  });
  server.on('connect', (req, socket) => {
    hosts.push(String(req.url));
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: originOf(server.address()), hosts };
}

/** The text of a body as the relay reads it. */
export async function textOf({ headers, bytes }: TappedRequest): Promise<string> {
  if (headers['content-encoding'] !== 'zstd') return bytes.toString();
  return (await promisify(zstdDecompress)(bytes)).toString();
}
