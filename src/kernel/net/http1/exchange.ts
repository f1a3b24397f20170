// One request and its response over one connection. The request is sent in one write, the response
// is streamed, and the connection is then returned to the pool or closed.
import type { CancelToken } from '../../concurrency/cancel-token.ts';
import { ChunkQueue, type ChunkSource, type Chunks } from '../read-chunks.ts';
import type { Connection, ConnectionUser } from './connection.ts';
import type { Connections } from './connections.ts';
import type { ResponseHead } from './read-head.ts';
import { HttpResponseReader, type ResponseReceiver } from './response-reader.ts';

export type RawHttpResponse = {
  readonly status: number;
  readonly headers: ResponseHead['headers'];
  /** The caller reads it or cancels it. */
  readonly body: Chunks;
};

/**
 * `stale`: the server had closed the reused connection; the request is sent again on a new one.
 */
export type SendState = RawHttpResponse | 'stale';

const CUT_OFF = 'the response was cut off';

export class HttpExchange implements ConnectionUser, ResponseReceiver, ChunkSource {
  readonly reader: HttpResponseReader;
  private readonly connections: Connections;
  private readonly halt: CancelToken;
  private readonly onHalt: () => void;
  /** Null: returned to the pool, or lost. */
  private connection: Connection | null;
  private readonly wasUsed: boolean;
  private settle: PromiseWithResolvers<SendState> | null = null;
  private failure: Error | 'stale' | null = null;
  private queue: ChunkQueue | null = null;
  private headers: ResponseHead['headers'] = {};
  private isKept = false;
  private isComplete = false;

  /** `connection` belongs to `connections` and was taken for this exchange. */
  constructor(connections: Connections, connection: Connection, halt: CancelToken) {
    this.connections = connections;
    this.halt = halt;
    this.reader = new HttpResponseReader(this);
    this.connection = connection;
    this.wasUsed = connection.isUsed;
    connection.begin(this);
    this.onHalt = () => this.cutOff();
    halt.on(this.onHalt);
  }

  /** `text` is the whole request. Rejects when no response begins. */
  send(text: string, encoding: 'latin1' | 'utf8'): Promise<SendState> {
    if (this.failure === 'stale') return Promise.resolve('stale');
    if (this.failure !== null) return Promise.reject(this.failure);
    this.settle = Promise.withResolvers();
    this.connection?.write(text, encoding);
    return this.settle.promise;
  }

  get isSent(): boolean {
    return this.settle !== null;
  }

  head({ status, headers, isKept }: ResponseHead): void {
    // 408 on a reused connection: the server closed an idle connection (RFC 9110, 15.5.9). The
    // request is safe to resend.
    if (status === 408 && this.wasUsed && !isKept) {
      this.detachConnection()?.destroy();
      this.fail('stale');
      return;
    }
    this.headers = headers;
    this.isKept = isKept;
    this.queue = new ChunkQueue(this);
    this.settle?.resolve({ status, headers, body: this.queue });
  }

  piece(bytes: Buffer): void {
    this.queue?.put(bytes);
  }

  end(): void {
    this.isComplete = true;
    this.queue?.end('complete');
  }

  complete(isAlone: boolean): void {
    const connection = this.detachConnection();
    if (connection === null) return;
    if (this.isKept && isAlone) this.connections.release(connection, keptMsOf(this.headers));
    else connection.destroy();
  }

  broken(error: NodeJS.ErrnoException | null): void {
    const isUnheard = this.wasUsed && !this.reader.hasBegun && this.halt.reason === null;
    this.detachConnection();
    if (isUnheard && (error === null || error.code === 'ECONNRESET' || error.code === 'EPIPE')) {
      this.fail('stale');
      return;
    }
    try {
      if (error !== null) throw error;
      this.reader.close();
    } catch (cause) {
      this.fail(cause as Error);
    }
  }

  pause(): void {
    this.connection?.pause();
  }

  resume(): void {
    this.connection?.resume();
  }

  leave(): void {
    this.cutOff();
  }

  private cutOff(): void {
    // The response is complete. `over` follows and returns the connection to the pool.
    if (this.isComplete) return;
    const connection = this.detachConnection();
    // A connection that has sent nothing can be reused.
    if (this.settle === null && this.wasUsed && connection !== null) {
      this.connections.release(connection, null);
    } else connection?.destroy();
    this.fail(new Error(CUT_OFF));
  }

  private detachConnection(): Connection | null {
    const { connection } = this;
    this.connection = null;
    this.halt.off(this.onHalt);
    return connection;
  }

  private fail(failure: Error | 'stale'): void {
    this.failure ??= failure;
    if (this.queue !== null) this.queue.end(failure === 'stale' ? new Error(CUT_OFF) : failure);
    else if (failure === 'stale') this.settle?.resolve('stale');
    else this.settle?.reject(failure);
  }
}

/** The keep-alive time that the server announces. */
function keptMsOf(headers: ResponseHead['headers']): number | null {
  const hint = headers['keep-alive'];
  const seconds = hint === undefined ? null : /timeout=(\d{1,6})/i.exec(hint)?.[1];
  return seconds == null ? null : Number(seconds) * 1000;
}
