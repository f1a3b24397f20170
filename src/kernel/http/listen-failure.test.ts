import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { explainListenFault } from './listen-failure.ts';

function listenError(host: string, port: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => {
      server.close();
      reject(new Error('it listens'));
    });
  });
}

it('names the variable that sets the port when the port is in use', async () => {
  const first = createServer();
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  const { port } = first.address() as AddressInfo;
  const error = await listenError('127.0.0.1', port);
  expect(
    explainListenFault({ host: '127.0.0.1', port, variable: 'RADAR_PORT' }, error),
  ).toMatchObject({
    code: 'temporarily_unavailable',
    message:
      `Cannot listen on 127.0.0.1, port ${port}: another program listens there. Stop it, or ` +
      `set RADAR_PORT to another port. The error was: listen EADDRINUSE: address already in use ` +
      `127.0.0.1:${port}`,
  });
  first.close();
});

it('reports an address that does not belong to the machine', async () => {
  const error = await listenError('203.0.113.4', 0);
  const fault = explainListenFault({ host: '203.0.113.4', port: 0, variable: 'RADAR_PORT' }, error);
  const message = expect.stringContaining('not an address of this machine');
  expect(fault).toMatchObject({ message });
});

it('returns any other error unchanged', () => {
  const error = new TypeError('a defect of the program');
  expect(explainListenFault({ host: '::1', port: 0, variable: 'RADAR_PORT' }, error)).toBe(error);
});
