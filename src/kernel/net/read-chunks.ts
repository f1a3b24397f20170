// Delivers the chunks of a body, each in the turn of the event loop in which it arrives. A stream's
// own iterator takes one more turn per chunk, which is half of a relay's latency. Chunks that
// arrive before a consumer are buffered.
import type { Readable } from 'node:stream';

/** Chunks for one consumer. The consumer either iterates, or receives each chunk by a callback. */
export type Chunks = AsyncIterable<Buffer> & {
  deliverTo(consumer: ChunkConsumer): void;
  /** Removes and returns the chunks that were not read; null while the body is incomplete. */
  takeUnreadBody(): readonly Buffer[] | null;
};

/** Its methods are called while the bytes are read from the socket, before any promise resolves. */
export type ChunkConsumer = {
  onChunk(bytes: Buffer, flow: FlowControl): void;
  /** Called once after the last chunk. An error means that the body is incomplete. */
  onEnd(error: Error | null): void;
};

/** After `hold` and until `resume`, no chunk is delivered and the source is paused. */
export type FlowControl = { hold(): void; resume(): void };

/** The source of the chunks. */
export type ChunkSource = {
  pause(): void;
  resume(): void;
  /** The consumer has stopped reading. */
  cancel(): void;
};

type Step = IteratorResult<Buffer, undefined>;
type PendingRead = {
  readonly resolve: (step: Step) => void;
  readonly reject: (error: Error) => void;
};

/** The source is paused when more bytes are buffered. */
const MAX_BUFFERED_BYTES = 16 * 1024;

const DONE: Step = { done: true, value: undefined };

/** Buffers chunks from a source and passes them to one consumer. */
export class ChunkQueue implements Chunks, FlowControl {
  private readonly source: ChunkSource;
  private buffered: Buffer[] = [];
  private bufferedBytes = 0;
  private pendingRead: PendingRead | null = null;
  private consumer: ChunkConsumer | null = null;
  private isHeld = false;
  private isPaused = false;
  private outcome: 'complete' | Error | null = null;

  constructor(source: ChunkSource) {
    this.source = source;
  }

  put(value: Buffer): void {
    if (this.consumer !== null && !this.isHeld && this.bufferedBytes === 0) {
      this.consumer.onChunk(value, this);
      return;
    }
    const read = this.pendingRead;
    if (read !== null) {
      this.pendingRead = null;
      read.resolve({ done: false, value });
      return;
    }
    this.buffered.push(value);
    this.bufferedBytes += value.length;
    if (this.bufferedBytes > MAX_BUFFERED_BYTES) this.pause();
  }

  /** Only the first call has an effect. */
  end(outcome: 'complete' | Error): void {
    if (this.outcome !== null) return;
    this.outcome = outcome;
    const read = this.pendingRead;
    this.pendingRead = null;
    if (outcome === 'complete') read?.resolve(DONE);
    else read?.reject(outcome);
    if (this.bufferedBytes === 0) this.deliverChunks();
  }

  deliverTo(consumer: ChunkConsumer): void {
    this.consumer = consumer;
    this.deliverChunks();
  }

  takeUnreadBody(): readonly Buffer[] | null {
    if (this.outcome !== 'complete') return null;
    const chunks = this.buffered;
    this.buffered = [];
    this.bufferedBytes = 0;
    return chunks;
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
        this.source.cancel();
        return Promise.resolve(DONE);
      },
    };
  }

  private next(): Promise<Step> {
    const value = this.shiftBuffered();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.outcome === 'complete') return Promise.resolve(DONE);
    if (this.outcome !== null) return Promise.reject(this.outcome);
    return new Promise((resolve, reject) => {
      this.pendingRead = { resolve, reject };
    });
  }

  private shiftBuffered(): Buffer | undefined {
    const value = this.buffered.shift();
    this.bufferedBytes -= value?.length ?? 0;
    if (this.isPaused && this.bufferedBytes === 0 && !this.isHeld) {
      this.isPaused = false;
      this.source.resume();
    }
    return value;
  }

  private deliverChunks(): void {
    while (this.consumer !== null && !this.isHeld) {
      const value = this.shiftBuffered();
      if (value !== undefined) {
        this.consumer.onChunk(value, this);
        continue;
      }
      if (this.outcome === null) return;
      const consumer = this.consumer;
      this.consumer = null;
      consumer.onEnd(this.outcome === 'complete' ? null : this.outcome);
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
    cancel: () => stream.destroy(),
  });
  stream.on('data', (value: Buffer) => queue.put(value));
  stream.once('end', () => queue.end('complete'));
  stream.once('error', (error) => queue.end(error));
  stream.once('close', () => queue.end(new Error('the response was cut off')));
  if (stream.destroyed) queue.end(stream.errored ?? new Error('the response was cut off'));
  return queue;
}
