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
  /** The caller reads or cancels the body. */
  readonly body: Chunks;
};

/**
 * `stale`: the server had closed the reused connection, so a new connection repeats the request.
 */
export type ResponseOrStale = RawHttpResponse | 'stale';

const TRUNCATED = 'the response was cut off';

export class HttpExchange implements ConnectionUser, ResponseReceiver, ChunkSource {
  readonly reader: HttpResponseReader;
  private readonly connections: Connections;
  private readonly cancelToken: CancelToken;
  private readonly onCancel: () => void;
  /** Null: the connection was returned to the pool, or lost. */
  private connection: Connection | null;
  private readonly isReused: boolean;
  private responseStart: PromiseWithResolvers<ResponseOrStale> | null = null;
  private failure: Error | 'stale' | null = null;
  private queue: ChunkQueue | null = null;
  private headers: ResponseHead['headers'] = {};
  private isPersistent = false;
  private isComplete = false;

  /** `connection` was acquired from `connections` for this exchange. */
  constructor(connections: Connections, connection: Connection, cancelToken: CancelToken) {
    this.connections = connections;
    this.cancelToken = cancelToken;
    this.reader = new HttpResponseReader(this);
    this.connection = connection;
    this.isReused = connection.isUsed;
    connection.startExchange(this);
    this.onCancel = () => this.abort();
    cancelToken.on(this.onCancel);
  }

  /** `text` is the whole request. Rejects when no response begins. */
  send(text: string, encoding: 'latin1' | 'utf8'): Promise<ResponseOrStale> {
    if (this.failure === 'stale') return Promise.resolve('stale');
    if (this.failure !== null) return Promise.reject(this.failure);
    this.responseStart = Promise.withResolvers();
    this.connection?.write(text, encoding);
    return this.responseStart.promise;
  }

  get isSent(): boolean {
    return this.responseStart !== null;
  }

  onHead({ status, headers, isPersistent }: ResponseHead): void {
    // 408 on a reused connection: the server closed an idle connection (RFC 9110, 15.5.9). The
    // request is safe to resend.
    if (status === 408 && this.isReused && !isPersistent) {
      this.detachConnection()?.destroy();
      this.fail('stale');
      return;
    }
    this.headers = headers;
    this.isPersistent = isPersistent;
    this.queue = new ChunkQueue(this);
    this.responseStart?.resolve({ status, headers, body: this.queue });
  }

  onChunk(bytes: Buffer): void {
    this.queue?.put(bytes);
  }

  onEnd(): void {
    this.isComplete = true;
    this.queue?.end('complete');
  }

  onComplete(hasNoExtraBytes: boolean): void {
    const connection = this.detachConnection();
    if (connection === null) return;
    if (this.isPersistent && hasNoExtraBytes)
      this.connections.release(connection, keepAliveMsOf(this.headers));
    else connection.destroy();
  }

  onDisconnect(error: NodeJS.ErrnoException | null): void {
    const hasNoResponse =
      this.isReused && !this.reader.hasBegun && this.cancelToken.reason === null;
    this.detachConnection();
    // The server closed the reused connection before it read the request.
    if (
      hasNoResponse &&
      (error === null || error.code === 'ECONNRESET' || error.code === 'EPIPE')
    ) {
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

  cancel(): void {
    this.abort();
  }

  private abort(): void {
    // The response is complete; `onComplete` will return the connection to the pool.
    if (this.isComplete) return;
    const connection = this.detachConnection();
    // A connection that has sent nothing can be reused.
    if (this.responseStart === null && this.isReused && connection !== null) {
      this.connections.release(connection, null);
    } else connection?.destroy();
    this.fail(new Error(TRUNCATED));
  }

  private detachConnection(): Connection | null {
    const { connection } = this;
    this.connection = null;
    this.cancelToken.off(this.onCancel);
    return connection;
  }

  private fail(failure: Error | 'stale'): void {
    this.failure ??= failure;
    if (this.queue !== null) this.queue.end(failure === 'stale' ? new Error(TRUNCATED) : failure);
    else if (failure === 'stale') this.responseStart?.resolve('stale');
    else this.responseStart?.reject(failure);
  }
}

/** The keep-alive time that the server announces. */
function keepAliveMsOf(headers: ResponseHead['headers']): number | null {
  const [, seconds] = /timeout=(\d{1,6})/i.exec(headers['keep-alive'] ?? '') ?? [];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
