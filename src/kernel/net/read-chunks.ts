// Chunks of a body, each passed on in the same turn of the event loop. A stream's own iterator
// takes another turn per chunk, which is half of a relay's latency. Chunks that arrive before a
// consumer are buffered.
import type { Readable } from 'node:stream';

/** Chunks for one consumer, which pulls them or receives them pushed. */
export type Chunks = AsyncIterable<Buffer> & {
  flowTo(consumer: ChunkConsumer): void;
  /** The whole body when it is complete and unread; otherwise null. */
  unreadBody(): readonly Buffer[] | null;
};

/** Called while the bytes are read from the socket, before any promise resolves. */
export type ChunkConsumer = {
  piece(bytes: Buffer, flow: FlowControl): void;
  /** Called once after the last chunk. An error means that the body is incomplete. */
  ended(error: Error | null): void;
};

/** While held, no chunk is passed on and the source is paused. */
export type FlowControl = { hold(): void; resume(): void };

/** The source of the chunks. */
export type ChunkSource = {
  pause(): void;
  resume(): void;
  /** The consumer has stopped reading. */
  leave(): void;
};

type Step = IteratorResult<Buffer, undefined>;
type PendingRead = {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: Error) => void;
};

/** The source pauses when more unread bytes are buffered. */
const KEPT_BYTES = 16 * 1024;

const DONE: Step = { done: true, value: undefined };

/** Buffers chunks from a source and passes them to one consumer. */
export class ChunkQueue implements Chunks, FlowControl {
  private readonly source: ChunkSource;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private pendingRead: PendingRead | null = null;
  private consumer: ChunkConsumer | null = null;
  private isHeld = false;
  private isPaused = false;
  private ended: 'complete' | Error | null = null;

  constructor(source: ChunkSource) {
    this.source = source;
  }

  put(value: Buffer): void {
    if (this.consumer !== null && !this.isHeld && this.keptBytes === 0) {
      this.consumer.piece(value, this);
      return;
    }
    const reader = this.pendingRead;
    if (reader !== null) {
      this.pendingRead = null;
      reader.resolve({ done: false, value });
      return;
    }
    this.kept.push(value);
    this.keptBytes += value.length;
    if (this.keptBytes > KEPT_BYTES) this.pause();
  }

  /** Only the first end counts. */
  end(outcome: 'complete' | Error): void {
    if (this.ended !== null) return;
    this.ended = outcome;
    const reader = this.pendingRead;
    this.pendingRead = null;
    if (outcome === 'complete') reader?.resolve(DONE);
    else reader?.reject(outcome);
    if (this.keptBytes === 0) this.deliverChunks();
  }

  flowTo(consumer: ChunkConsumer): void {
    this.consumer = consumer;
    this.deliverChunks();
  }

  unreadBody(): readonly Buffer[] | null {
    if (this.ended !== 'complete') return null;
    const all = this.kept;
    this.kept = [];
    this.keptBytes = 0;
    return all;
  }

  hold(): void {
    this.isHeld = true;
    this.pause();
  }

  resume(): void {
    this.isHeld = false;
    this.deliverChunks();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer, undefined> {
    return {
      next: () => this.next(),
      return: () => {
        this.source.leave();
        return Promise.resolve(DONE);
      },
    };
  }

  private next(): Promise<Step> {
    const value = this.take();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.ended === 'complete') return Promise.resolve(DONE);
    if (this.ended !== null) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.pendingRead = { resolve, reject };
    });
  }

  private take(): Buffer | undefined {
    const value = this.kept.shift();
    this.keptBytes -= value?.length ?? 0;
    if (this.isPaused && this.keptBytes === 0 && !this.isHeld) {
      this.isPaused = false;
      this.source.resume();
    }
    return value;
  }

  private deliverChunks(): void {
    while (this.consumer !== null && !this.isHeld) {
      const value = this.take();
      if (value !== undefined) {
        this.consumer.piece(value, this);
        continue;
      }
      if (this.ended === null) return;
      const consumer = this.consumer;
      this.consumer = null;
      consumer.ended(this.ended === 'complete' ? null : this.ended);
    }
  }

  private pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.source.pause();
  }
}

/** The chunks of a Node stream. */
export function readChunks(stream: Readable): Chunks {
  const queue = new ChunkQueue({
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    leave: () => stream.destroy(),
  });
  stream.on('data', (value: Buffer) => queue.put(value));
  stream.once('end', () => queue.end('complete'));
  stream.once('error', (error) => queue.end(error));
  stream.once('close', () => queue.end(new Error('the response was cut off')));
  if (stream.destroyed) queue.end(stream.errored ?? new Error('the response was cut off'));
  return queue;
}
