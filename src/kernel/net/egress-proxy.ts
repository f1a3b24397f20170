// Opens tunnels through a proxy for outgoing requests: HTTP CONNECT, or SOCKS5 (RFC 1928, RFC
// 1929). The caller decides which host may be reached; this file only opens the tunnel.
import net, { isIP, isIPv4 } from 'node:net';

export type EgressProxy = {
  /** The name of the proxy in messages, without its password. */
  readonly name: string;
  readonly protocol: 'http' | 'socks5';
  readonly host: string;
  readonly port: number;
  /** Null: the proxy requires none. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
  /** `here`: this process resolves the names of targets; `there`: the proxy resolves them. */
  readonly nameResolution: 'here' | 'there';
};

export type TunnelTarget = {
  /** An address or, with `nameResolution: 'there'`, a name. */
  readonly host: string;
  readonly port: number;
};

/** Longest head of a response to CONNECT, bytes. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Numbers of RFC 1928: the version, two authentication methods, a command, three address types. */
const SOCKS = { version: 5, none: 0, password: 2, connect: 1, ipv4: 1, name: 3, ipv6: 4 } as const;

/**
 * Parses `http://user:password@host:port` or `socks5h://host:port`; throws an Error that names the
 * problem.
 */
export function parseEgressProxy(
  name: string,
  address: string,
  nameResolution: EgressProxy['nameResolution'],
): EgressProxy {
  const url = URL.parse(address);
  const protocol = /^http:$/.test(url?.protocol ?? '') ? 'http' : 'socks5';
  if (url === null || !/^(?:http|socks5h?):$/.test(url.protocol) || url.hostname === '') {
    throw new Error(`proxy ${name}: must be http://host:port or socks5h://host:port`);
  }
  const defaultPort = protocol === 'http' ? 80 : 1080;
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    name,
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? defaultPort : Number(url.port),
    credentials: user === '' ? null : { user, password },
    nameResolution,
  };
}

/** A socket through the proxy to the target. Rejects with the proxy's name in the message. */
export async function openTunnel(
  proxy: EgressProxy,
  target: TunnelTarget,
  signal: AbortSignal,
): Promise<net.Socket> {
  const socket = net.connect({ host: proxy.host, port: proxy.port, noDelay: true });
  const onAbort = () => socket.destroy(new Error('aborted while connecting'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const reader = new SocketReader(socket);
  try {
    await reader.waitUntilConnected();
    if (proxy.protocol === 'http') await connectHttp(reader, proxy, target);
    else await connectSocks(reader, proxy, target);
    reader.release();
    return socket;
  } catch (error) {
    socket.destroy();
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`proxy ${proxy.name} (${proxy.host}:${proxy.port}): ${message}`);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function connectHttp(
  reader: SocketReader,
  { credentials }: EgressProxy,
  { host, port }: TunnelTarget,
): Promise<void> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const basic =
    credentials === null
      ? ''
      : Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  const authorization = basic === '' ? '' : `Proxy-Authorization: Basic ${basic}\r\n`;
  reader.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
  const head = await reader.readUntil('\r\n\r\n', MAX_HEAD_BYTES);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? null;
  if (status === null) throw new Error('the response is not HTTP');
  if (status === '407') throw new Error('wrong or missing password (407)');
  if (!status.startsWith('2')) throw new Error(`refused the connection (${status})`);
}

const socksFailures: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'address type not supported',
};

async function connectSocks(
  reader: SocketReader,
  { credentials }: EgressProxy,
  { host, port }: TunnelTarget,
): Promise<void> {
  const method = credentials === null ? SOCKS.none : SOCKS.password;
  reader.write(Buffer.from([SOCKS.version, 1, method]));
  const [version, chosenMethod] = await reader.readExactly(2);
  if (version !== SOCKS.version) throw new Error('the response is not SOCKS5');
  if (chosenMethod !== method) throw new Error('requires another authentication method');
  if (credentials !== null) {
    const [user, password] = [Buffer.from(credentials.user), Buffer.from(credentials.password)];
    // RFC 1929, 2: the version of the authentication is 1, and each text follows its length.
    reader.write(
      Buffer.concat([
        Buffer.from([1, user.length]),
        user,
        Buffer.from([password.length]),
        password,
      ]),
    );
    const [, status] = await reader.readExactly(2);
    if (status !== 0) throw new Error('wrong password');
  }
  reader.write(
    Buffer.concat([
      Buffer.from([SOCKS.version, SOCKS.connect, 0]),
      socksAddress(host),
      Buffer.from([port >> 8, port & 0xff]),
    ]),
  );
  const [, reply = 1, , type = 0] = await reader.readExactly(4);
  if (reply !== 0) throw new Error(socksFailures[reply] ?? `failure ${reply}`);
  // The proxy's own address and its port of two bytes follow. They are read and not used.
  const [length = 0] =
    type === SOCKS.name ? await reader.readExactly(1) : [type === SOCKS.ipv6 ? 16 : 4];
  await reader.readExactly(length + 2);
}

function socksAddress(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([SOCKS.ipv4, ...host.split('.').map(Number)]);
  if (isIP(host) === 6) return Buffer.from([SOCKS.ipv6, ...ipv6Bytes(host)]);
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([SOCKS.name, name.length]), name]);
}

/** Node has no parser for IPv6, but the URL parser returns the compressed form of any spelling. */
function ipv6Bytes(host: string): readonly number[] {
  const canonicalHost = new URL(`http://[${host.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonicalHost.split('::');
  const splitGroups = (text: string) => (text === '' ? [] : text.split(':'));
  const [leadingGroups, trailingGroups] = [splitGroups(head), splitGroups(tail)];
  const zeros = Array.from({ length: 8 - leadingGroups.length - trailingGroups.length }, () => '0');
  return [...leadingGroups, ...zeros, ...trailingGroups].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** Reads the handshake from a socket and leaves all later bytes to the next reader. */
class SocketReader {
  readonly #socket: net.Socket;
  #failure: Error | null = null;
  #wake: () => void = () => {};

  constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.on('readable', this.#onChange);
    socket.on('error', this.#onError);
    socket.on('end', this.#onEnd);
  }

  readonly #onChange = () => this.#wake();
  readonly #onError = (error: Error) => {
    this.#failure ??= error;
    this.#wake();
  };
  readonly #onEnd = () => this.#onError(new Error('closed the connection'));

  async waitUntilConnected(): Promise<void> {
    if (!this.#socket.connecting) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#socket.once('connect', () => resolve());
    });
    if (this.#failure !== null) throw this.#failure;
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  async readExactly(count: number): Promise<Uint8Array> {
    for (;;) {
      const bytes: Buffer | null = this.#socket.read(count);
      if (bytes !== null && bytes.length === count) return bytes;
      await this.#waitForBytes();
    }
  }

  async readUntil(endMarker: string, maxBytes: number): Promise<string> {
    let text = '';
    while (!text.endsWith(endMarker)) {
      if (text.length >= maxBytes) throw new Error('the response is too long');
      text += Buffer.from(await this.readExactly(1)).toString('latin1');
    }
    return text;
  }

  async #waitForBytes(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (this.#failure !== null) throw this.#failure;
  }

  release(): void {
    this.#socket.off('readable', this.#onChange);
    this.#socket.off('error', this.#onError);
    this.#socket.off('end', this.#onEnd);
  }
}
