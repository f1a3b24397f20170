// Servers on loopback for tests of the network: correct servers, and raw sockets that break the
// protocol.
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import type { Net, NetOutcome, NetRequest, NetResponse } from '../../src/kernel/net/net.ts';
import { type NetOptions, openNet } from '../../src/kernel/net/open-net.ts';
import { type ManualClock, manualClock } from '../../src/kernel/time/clock.ts';

export type Loopback = {
  readonly port: number;
  /** `http://127.0.0.1:port` (or https), without a slash. */
  readonly origin: string;
  /** The number of requests until now; for a raw server, of connections. */
  readonly requestCount: () => number;
};

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export function openHttpServer(
  listener: http.RequestListener,
  host = '127.0.0.1',
): Promise<Loopback> {
  return startServer(http.createServer(listener), 'http', 'request', host);
}

export function openTlsServer(
  identity: { readonly key: string; readonly cert: string },
  listener: http.RequestListener,
): Promise<Loopback> {
  return startServer(https.createServer(identity, listener), 'https', 'request', '127.0.0.1');
}

/** Calls `respond` with the first bytes of each connection, and ignores socket errors. */
export function openRawServer(
  respond: (socket: net.Socket, received: string) => void,
): Promise<Loopback> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => respond(socket, data.toString('latin1')));
  });
  return startServer(server, 'http', 'connection', '127.0.0.1');
}

async function startServer(
  server: net.Server,
  scheme: string,
  event: 'request' | 'connection',
  host: string,
): Promise<Loopback> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  let requestCount = 0;
  server.on(event, () => {
    requestCount += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `${scheme}://127.0.0.1:${port}`, requestCount: () => requestCount };
}

/** A network for which 127.0.0.0/24 stands in for the public internet; closed after the test. */
export function loopbackNet(options: Partial<NetOptions> = {}): Net {
  const openedNet = openNet({
    clock: manualClock(Date.UTC(2026, 0, 1)),
    privateHosts: ['127.0.0.0/24'],
    politenessMs: 0,
    userAgent: 'content-radar-test/1.0',
    ...options,
  });
  cleanUps.push(() => openedNet.close());
  return openedNet;
}

/** A GET with generous limits. */
export function get(url: string, options: Partial<NetRequest> = {}): NetRequest {
  return { url, timeoutMs: 20_000, maxBytes: 1_000_000, ...options };
}

export function textOf(outcome: NetOutcome): string {
  return Buffer.from(responseOf(outcome).body).toString();
}

export function responseOf(outcome: NetOutcome): NetResponse {
  if (outcome.kind === 'failed') throw new Error(`${outcome.reason}: ${outcome.message}`);
  return outcome;
}

/** A promise with its resolve function, for an event such as a received request. */
export function openSignal<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { promise, resolve };
}

export function stoppedClock(): ManualClock {
  return manualClock(Date.UTC(2026, 0, 1));
}
