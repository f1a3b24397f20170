import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { openTlsFront } from './open-tls-front.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const server = createServer((req, res) => {
  res.writeHead(201, { 'content-type': 'application/json', 'x-own': 'yes' });
  req.pipe(res);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());

test.skipIf(!hasOpenssl)('forwards requests with a trusted certificate', async () => {
  const front = await openTlsFront((server.address() as AddressInfo).port, 0);
  if (front === null) throw new Error('no certificate');
  const { port, certificate: ca } = front;
  const clientRequest = request({ host: 'localhost', port, ca, method: 'POST', path: '/a' });
  clientRequest.end('{"n":1}');
  const [response] = await once(clientRequest, 'response');
  expect([response.statusCode, response.headers['x-own'], await json(response)]).toEqual([
    201,
    'yes',
    { n: 1 },
  ]);
  await front.close();
});
