// Opens a small HTTP server on a port of its own, beside the public ports: for an admin area or the
// metrics.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blockedClient, type ClientResolver } from '../client-address/client-address.ts';
import { findFramingFault } from './check-framing.ts';
import { limitConnections } from './limit-connections.ts';

export type SideServer = { readonly port: number; close(): Promise<void> };

export type SideServerOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly clients: ClientResolver;
};

const REQUEST_TIMEOUT_MS = 30_000;

/** `handle` receives the requests of clients that are not blocked. */
export async function openSideServer(
  { host, port, clients }: SideServerOptions,
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
): Promise<SideServer> {
  const runningRequests = new Set<Promise<void>>();
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      requireHostHeader: false,
    },
    (req, res) => {
      const refusal = clients.resolve(req).isBlocked ? blockedClient() : findFramingFault(req);
      if (refusal !== null) return sendText(res, refusal.code === 'forbidden' ? 403 : 400);
      const handled = handle(req, res)
        .catch(() => {
          if (res.headersSent) res.destroy();
          else sendText(res, 503);
        })
        .finally(() => runningRequests.delete(handled));
      runningRequests.add(handled);
    },
  );
  limitConnections(server, clients);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    port: boundPort,
    close: async () => {
      const closing = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      while (runningRequests.size > 0) await Promise.allSettled(runningRequests);
      server.closeAllConnections();
      await closing;
    },
  };
}

const texts: Readonly<Record<number, string>> = {
  400: 'This request is malformed.',
  403: 'The operator of this service has blocked this client.',
  404: 'There is no such address.',
  503: 'The service is temporarily unavailable.',
};

export function sendText(res: ServerResponse, status: number, text = texts[status] ?? ''): void {
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  res.end(res.req.method === 'HEAD' ? undefined : `${text}\n`);
}
