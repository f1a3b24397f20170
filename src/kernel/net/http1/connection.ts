// One HTTP/1.1 connection with one exchange at a time. It sends the request in one write and passes
// the response on as it arrives; `response-reader.ts` parses it.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { HttpResponseReader } from './response-reader.ts';

export type Origin = {
  readonly isSecure: boolean;
  /** A name or an address; an IPv6 address has no brackets. */
  readonly hostname: string;
  readonly port: number;
};

/** Receives the events of a connection during one exchange. */
export type ConnectionUser = {
  readonly reader: HttpResponseReader;
  /** False: the exchange has a connection, but has sent nothing. */
  readonly isSent: boolean;
  /** The response is complete. `hasNoExtraBytes`: no bytes followed it. */
  onComplete(hasNoExtraBytes: boolean): void;
  /** The connection ended early; null: the server closed it. */
  onDisconnect(error: NodeJS.ErrnoException | null): void;
};

/** The last TLS session ticket of each server. */
export type TlsTickets = Map<string, Buffer>;

/** Idle time before TCP tests the connection; unrelated to the keep-alive time of HTTP. */
const TCP_KEEP_ALIVE_MS = 1_000;

export class Connection {
  /** The connection has served a response before. */
  isUsed = false;
  /**
   * Monotonic ms at which the server will close the connection; infinite when the server states no
   * time.
   */
  idleUntil = Number.POSITIVE_INFINITY;
  private readonly socket: Socket;
  private exchange: ConnectionUser | null = null;
  private onLost: (() => void) | null = null;
  private error: NodeJS.ErrnoException | null = null;

  constructor(origin: Origin, tickets: TlsTickets) {
    this.socket = openSocket(origin, tickets);
    this.addListeners();
  }

  /** `onLost` is called when the connection is lost between two exchanges. */
  markIdle(onLost: () => void): void {
    this.exchange = null;
    this.onLost = onLost;
    // A slow consumer may have paused the socket when it received the end of the response.
    this.socket.resume();
    // An unused connection does not keep the process alive.
    this.socket.unref();
  }

  startExchange(exchange: ConnectionUser): void {
    this.onLost = null;
    this.exchange = exchange;
    this.socket.ref();
  }

  write(text: string, encoding: 'latin1' | 'utf8'): void {
    this.socket.write(text, encoding);
  }

  /** Whether another request may follow: everything was written and no error occurred. */
  get isClean(): boolean {
    return this.socket.writableLength === 0 && this.socket.writable && !this.socket.readableEnded;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private addListeners(): void {
    const { socket } = this;
    socket.on('data', (bytes: Buffer) => {
      const { exchange } = this;
      // Bytes that arrive without a request must not become the response to the next request.
      if (exchange === null || !exchange.isSent) return this.destroy();
      try {
        const extraByteCount = exchange.reader.feed(bytes);
        if (exchange.reader.isDone) exchange.onComplete(extraByteCount === 0);
      } catch (error) {
        this.fail(error as Error);
        this.destroy();
      }
    });
    socket.on('error', (error) => {
      this.error = error;
    });
    socket.on('end', () => this.fail(null));
    socket.on('close', () => {
      this.fail(this.error);
      this.onLost?.();
    });
  }

  private fail(error: NodeJS.ErrnoException | null): void {
    const { exchange } = this;
    this.exchange = null;
    exchange?.onDisconnect(error);
  }
}

function openSocket({ isSecure, hostname, port }: Origin, tickets: TlsTickets): Socket {
  const socketOptions = {
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
  };
  const socketTarget = { host: hostname, port, ...socketOptions };
  if (!isSecure) return connectPlain(socketTarget);
  const name = `${hostname}:${port}`;
  const session = tickets.get(name);
  const socket = connectSecure({
    ...socketTarget,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(hostname) === 0 && { servername: hostname }),
    ...(session && { session }),
  });
  socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS);
  socket.on('session', (ticket) => tickets.set(name, ticket));
  return socket;
}
