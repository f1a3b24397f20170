import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { runningClock } from '../time/clock.ts';
import { endResponse } from './end-response.ts';

const BODY = 'No key.';
const server = createServer((req, res) => {
  res.writeHead(401, { 'content-length': BODY.length, connection: 'close' });
  endResponse(runningClock(), req, res, req.method === 'HEAD' ? undefined : BODY);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());

/** Sends the head, reads until `isComplete`, and only then sends the body. */
async function sendBodyLate(
  method: string,
  bytes: number,
  isComplete: (received: string) => boolean,
) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setEncoding('utf8');
  socket.write(`${method} / HTTP/1.1\r\nhost: here\r\ncontent-length: ${bytes}\r\n\r\n`);
  let received = '';
  while (!isComplete(received)) received += String((await once(socket, 'data'))[0]);
  socket.write(Buffer.alloc(bytes, 'x'));
  return received + (await text(socket));
}

test.each([
  ['POST', (received: string) => received.endsWith(BODY)],
  ['HEAD', (received: string) => received.endsWith('\r\n\r\n')],
] as const)(
  'responds at once to a refused %s of 5 MB, and reads its body to the end',
  async (method, isComplete) => {
    const received = await sendBodyLate(method, 5_000_000, isComplete);
    expect(received.startsWith('HTTP/1.1 401 ')).toBe(true);
    expect(isComplete(received)).toBe(true);
  },
);

test('responds to a request without a body and closes the connection', async () => {
  expect(await sendBodyLate('POST', 0, (received) => received.endsWith(BODY))).toContain('401');
});
