// Opens a loopback proxy for a program that sends its own requests. Each target is resolved and
// checked like a request of `net.ts`, and the bytes that targets send are counted. A secret
// excludes other users of this machine.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo, isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { type PrivateHosts, parsePrivateHosts, plainHostname } from './private-hosts.ts';
import { type Lookup, resolveHost, systemLookup } from './resolve-host.ts';

export type ProxyOptions = {
  /** As in `NetRequest`. */
  readonly privateHosts: readonly string[];
  /** Limit of all received bytes. When it is exceeded, every connection is closed. */
  readonly maxBytes: number;
  readonly lookup?: Lookup;
};

export type GuardedProxy = {
  /** The address with its secret: `http://name:secret@127.0.0.1:port`. */
  readonly url: string;
  /** The first refused target as a message for an operator; null: none. */
  refusal(): string | null;
  isOverLimit(): boolean;
  close(): Promise<void>;
};

type ProxyContext = {
  readonly allowedPrivateHosts: PrivateHosts;
  readonly lookup: Lookup;
  readonly secret: string;
  readonly sockets: Set<Duplex>;
  /** Adds received bytes. Closes every connection when the limit is exceeded. */
  readonly addReceivedBytes: (bytes: number) => void;
  readonly refuse: (reason: string) => void;
};

/** Other ports need an entry in `privateHosts`. */
const webPorts = new Set([80, 443]);

export async function openProxy(options: ProxyOptions): Promise<GuardedProxy> {
  const sockets = new Set<Duplex>();
  const secret = randomBytes(18).toString('hex');
  let refusal: string | null = null;
  let receivedBytes = 0;
  const context: ProxyContext = {
    allowedPrivateHosts: parsePrivateHosts(options.privateHosts),
    lookup: options.lookup ?? systemLookup,
    secret,
    sockets,
    addReceivedBytes: (bytes) => {
      receivedBytes += bytes;
      if (receivedBytes > options.maxBytes) for (const socket of sockets) socket.destroy();
    },
    refuse: (reason) => {
      refusal ??= reason;
    },
  };
  const server = http.createServer((request, response) => forward(context, request, response));
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    tunnel(context, request, socket, head);
  });
  server.on('connection', (socket) => trackSocket(context, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://radar:${secret}@127.0.0.1:${port}`,
    refusal: () => refusal,
    isOverLimit: () => receivedBytes > options.maxBytes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function trackSocket({ sockets }: ProxyContext, socket: Duplex): void {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => sockets.delete(socket));
}

function isAuthenticated({ secret }: ProxyContext, request: IncomingMessage): boolean {
  const credentials = request.headers['proxy-authorization'] ?? '';
  const expected = `Basic ${Buffer.from(`radar:${secret}`).toString('base64')}`;
  const [received, expectedBytes] = [Buffer.from(credentials), Buffer.from(expected)];
  return received.length === expectedBytes.length && timingSafeEqual(received, expectedBytes);
}

/** A lookup that returns the checked addresses; null: the target is refused. */
async function resolveTarget(context: ProxyContext, hostname: string, port: number) {
  const name = plainHostname(hostname);
  if (!webPorts.has(port) && !context.allowedPrivateHosts.isHostAllowed(name, port)) {
    context.refuse(`${name}:${port} is not a web port (80 or 443)`);
    return null;
  }
  const resolved = await resolveHost(context.lookup, context.allowedPrivateHosts, {
    hostname,
    port,
  });
  if (resolved.kind === 'failed') {
    context.refuse(resolved.message);
    return null;
  }
  const addresses = resolved.addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, _options, callback) => callback(null, addresses);
  return { host: name, port, lookup };
}

async function tunnel(
  context: ProxyContext,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const endWithStatus = (status: string) =>
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
  if (!isAuthenticated(context, request))
    return void endWithStatus('407 Proxy Authentication Required');
  const target = URL.parse(`http://${request.url ?? ''}`);
  const port = Number(target?.port || 80);
  const resolvedTarget = target && (await resolveTarget(context, target.hostname, port));
  if (!resolvedTarget) return void endWithStatus('403 Forbidden');
  const upstream = net.connect({ ...resolvedTarget, autoSelectFamily: true });
  trackSocket(context, upstream);
  upstream.once('error', () => endWithStatus('502 Bad Gateway'));
  upstream.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.on('data', (chunk: Buffer) => context.addReceivedBytes(chunk.length));
    upstream.write(head);
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  socket.once('close', () => upstream.destroy());
}

/** Hop-by-hop fields (RFC 9110, section 7.6.1), and the secret of this proxy. */
const removedFields = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

async function forward(
  context: ProxyContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const endWithStatus = (status: number) =>
    response.writeHead(status, { connection: 'close' }).end();
  if (!isAuthenticated(context, request)) return void endWithStatus(407);
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') return void endWithStatus(400);
  const resolvedTarget = await resolveTarget(context, url.hostname, Number(url.port || 80));
  if (!resolvedTarget) return void endWithStatus(403);
  const headers = Object.entries(request.headers).filter(([name]) => !removedFields.test(name));
  const upstream = http.request({
    ...resolvedTarget,
    path: url.pathname + url.search,
    ...(request.method !== undefined && { method: request.method }),
    headers: Object.fromEntries(headers),
    agent: false,
  });
  upstream.once('socket', (socket) => trackSocket(context, socket));
  upstream.once('error', () => (response.headersSent ? response.destroy() : endWithStatus(502)));
  upstream.once('response', (upstreamResponse) => {
    upstreamResponse.on('data', (chunk: Buffer) => context.addReceivedBytes(chunk.length));
    upstreamResponse.on('error', () => response.destroy());
    response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
    upstreamResponse.pipe(response);
  });
  request.pipe(upstream);
}
