// Proxies on loopback that record what they receive: HTTP CONNECT, and SOCKS5 with or without a
// password. Every target is this machine, and the test reads which host the proxy received.
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type RecordingProxy = {
  readonly port: number;
  /** `host:port` of each tunnel. */
  readonly targets: string[];
};

type ProxyBehaviour = {
  /** `user:password`; when absent, the proxy requires no password. */
  readonly password?: string;
};

async function listen(onSocket: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function joinSockets(client: net.Socket, port: number, onOpen: () => void): void {
  const target = net.connect({ host: '127.0.0.1', port });
  target.on('error', () => client.destroy());
  target.once('connect', () => {
    onOpen();
    client.pipe(target).pipe(client);
  });
}

export async function openHttpProxy({ password }: ProxyBehaviour = {}): Promise<RecordingProxy> {
  const targets: string[] = [];
  const port = await listen((socket) => {
    socket.once('data', (data) => {
      const head = data.toString('latin1');
      const [, authority = ''] = /^CONNECT (\S+) HTTP\/1\.1/.exec(head) ?? [];
      const [, credentials = ''] = /proxy-authorization: basic (\S+)/i.exec(head) ?? [];
      if (password !== undefined && Buffer.from(credentials, 'base64').toString() !== password) {
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
        return;
      }
      targets.push(authority);
      joinSockets(socket, Number(/:(\d+)$/.exec(authority)?.[1]), () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      });
    });
  });
  return { port, targets };
}

export async function openSocksProxy({ password }: ProxyBehaviour = {}): Promise<RecordingProxy> {
  const targets: string[] = [];
  const port = await listen((socket) => {
    socket.once('data', (greeting) => {
      const method = password === undefined ? 0 : 2;
      socket.write(Buffer.from([5, greeting.includes(method, 2) ? method : 0xff]));
      const handleConnect = () =>
        socket.once('data', (request) => connectTo(socket, request, targets));
      if (password === undefined) return handleConnect();
      socket.once('data', (loginBytes) => {
        const user = loginBytes.subarray(2, 2 + (loginBytes[1] ?? 0)).toString();
        const credentials = `${user}:${loginBytes.subarray(3 + (loginBytes[1] ?? 0)).toString()}`;
        socket.write(Buffer.from([1, credentials === password ? 0 : 1]));
        if (credentials === password) handleConnect();
      });
    });
  });
  return { port, targets };
}

function connectTo(socket: net.Socket, request: Buffer, targets: string[]): void {
  const isName = request[3] === 3;
  const host = isName
    ? request.subarray(5, 5 + (request[4] ?? 0)).toString()
    : [...request.subarray(4, 8)].join('.');
  const port = request.readUInt16BE(request.length - 2);
  targets.push(`${host}:${port}`);
  joinSockets(socket, port, () => socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])));
}
