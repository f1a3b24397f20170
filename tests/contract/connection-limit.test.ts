// One client address has at most 256 open connections on each port. Loopback has no limit, so the
// connections come from another address of this machine.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { openTestRelay } from '../relay/test-relay.ts';
import { openReaderRadar } from '../support/reader-radar.ts';
import { openTestGateway } from '../support/test-gateway.ts';

const CONNECTIONS_MAX = 256;

const addresses = Object.values(networkInterfaces()).flat();
const address = addresses.find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

const { origin: radar } = await openReaderRadar();
const { origin: gateway } = await openTestGateway();
const { origin: relay } = await openTestRelay();
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** Whether a new connection stays open for a request. */
async function isServed(origin: string, localAddress: string | undefined): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ...(localAddress !== undefined && { localAddress }),
  });
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write('GET /healthz HTTP/1.1\r\nHost: one.example\r\n\r\n');
  return Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
  ]);
}

test.skipIf(address === undefined).each([
  ['radar', radar],
  ['gateway', gateway],
  ['relay', relay],
])(
  '%s serves 256 connections of one address, and still serves other clients',
  async (_, origin) => {
    const servedConnections = await Promise.all(
      Array.from({ length: CONNECTIONS_MAX }, () => isServed(origin, address)),
    );
    expect(servedConnections.filter(Boolean)).toHaveLength(CONNECTIONS_MAX);
    expect(await isServed(origin, address)).toBe(false);
    expect(await isServed(origin, undefined)).toBe(true);
  },
);
