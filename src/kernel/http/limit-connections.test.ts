import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openClientResolver } from '../client-address/client-address.ts';
import { limitConnections } from './limit-connections.ts';

async function serve(trustProxy: readonly string[], isExempt?: (address: string) => boolean) {
  const server = createServer((_req, res) => res.end('ok'));
  const clients = openClientResolver({ trustProxy });
  limitConnections(server, clients, { max: 2, ...(isExempt && { isExempt }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Sends a request on a new connection, which stays open. */
async function requestOnNewConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  const hasResponse = await Promise.race([
    once(socket, 'data').then(() => true),
    once(socket, 'close').then(() => false),
  ]);
  return { socket, hasResponse };
}

test('closes a connection above the limit, and accepts a new one after one ended', async () => {
  const port = await serve([], () => false);
  const first = await requestOnNewConnection(port);
  await requestOnNewConnection(port);
  expect(first.hasResponse).toBe(true);
  expect((await requestOnNewConnection(port)).hasResponse).toBe(false);
  first.socket.end();
  await once(first.socket, 'close');
  expect((await requestOnNewConnection(port)).hasResponse).toBe(true);
});

test.each([
  ['a trusted proxy', ['127.0.0.1'], () => false],
  ['this machine', [], undefined],
] as const)('%s has no limit', async (_name, trustProxy, isExempt) => {
  const port = await serve(trustProxy, isExempt);
  for (let count = 0; count < 4; count += 1)
    expect((await requestOnNewConnection(port)).hasResponse).toBe(true);
});
