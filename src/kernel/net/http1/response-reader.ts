// Parses the bytes of a connection into one response: head, body chunks, end. It skips provisional
// responses (1xx) and drops trailers.
import { type ResponseHead, readHead } from './read-head.ts';

export type ResponseReceiver = {
  head(head: ResponseHead): void;
  piece(bytes: Buffer): void;
  /** The body is complete. */
  end(): void;
};

const HEAD_MAX_BYTES = 64 * 1024;
/** The longest chunk-size line with its extensions, and the longest trailer line. */
const LINE_MAX_BYTES = 8 * 1024;
const PROVISIONAL_MAX = 20;

const LF = 10;
const CR = 13;

type State =
  | 'head'
  | 'fixed_length'
  | 'until_close'
  | 'chunk_line'
  | 'chunk'
  | 'chunk_end'
  | 'trailer'
  | 'done';

export class HttpResponseReader {
  private readonly receiver: ResponseReceiver;
  /** The first byte has arrived. */
  hasBegun = false;
  private state: State = 'head';
  /** Remaining bytes of the body or the chunk. */
  private left = 0;
  private trailerBytes = 0;
  private provisional = 0;
  /** An incomplete head or line. */
  private partial: Buffer | null = null;

  constructor(receiver: ResponseReceiver) {
    this.receiver = receiver;
  }

  get isDone(): boolean {
    return this.state === 'done';
  }

  /**
   * Returns the number of bytes after the end of the response, which should be 0. Throws an Error.
   */
  feed(chunk: Buffer): number {
    this.hasBegun = true;
    let bytes = chunk;
    if (this.partial !== null) {
      bytes = Buffer.concat([this.partial, chunk]);
      this.partial = null;
    }
    let at = 0;
    while (at < bytes.length && this.state !== 'done') {
      const next = this.step(bytes, at);
      if (next === null) {
        this.partial = at === 0 ? bytes : bytes.subarray(at);
        return 0;
      }
      at = next;
    }
    return bytes.length - at;
  }

  /** The connection has ended. Throws when the response is incomplete. */
  close(): void {
    if (this.state === 'until_close') this.finish();
    else if (this.state !== 'done') throw new Error('the response was cut off');
  }

  /** The position after the parsed part; null: more bytes are needed. */
  private step(bytes: Buffer, at: number): number | null {
    switch (this.state) {
      case 'head':
        return this.readHead(bytes, at);
      case 'fixed_length':
      case 'chunk':
        return this.readCounted(bytes, at);
      case 'chunk_line':
        return this.readChunkLine(bytes, at);
      case 'chunk_end':
        return this.readChunkEnd(bytes, at);
      case 'trailer':
        return this.readTrailer(bytes, at);
      default:
        this.receiver.piece(bytes.subarray(at));
        return bytes.length;
    }
  }

  private readHead(bytes: Buffer, at: number): number | null {
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1');
    if ((end < 0 ? bytes.length : end) - at > HEAD_MAX_BYTES) throw new Error('a head without end');
    if (end < 0) return null;
    const head = readHead(bytes.toString('latin1', at, end));
    const { status, framing } = head;
    if (status < 200) {
      this.provisional += 1;
      if (status === 101 || this.provisional > PROVISIONAL_MAX)
        throw new Error('no response began');
      return end + 4;
    }
    this.receiver.head(head);
    if (framing === 'chunked') this.state = 'chunk_line';
    else if (framing === 'until_close') this.state = 'until_close';
    else if (framing === 0) this.finish();
    else {
      this.state = 'fixed_length';
      this.left = framing;
    }
    return end + 4;
  }

  private readCounted(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.left);
    this.left -= end - at;
    const isComplete = this.left === 0;
    if (isComplete && this.state === 'chunk') this.state = 'chunk_end';
    this.receiver.piece(bytes.subarray(at, end));
    if (isComplete && this.state === 'fixed_length') this.finish();
    return end;
  }

  private readChunkLine(bytes: Buffer, at: number): number | null {
    const end = lineEnd(bytes, at);
    if (end === null) return null;
    // The size in hexadecimal. Chunk extensions are ignored (RFC 9112, 7.1.1).
    const sizeLine = /^([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?$/.exec(bytes.toString('latin1', at, end));
    if (sizeLine === null) throw new Error('a chunk without a length');
    this.left = Number.parseInt(sizeLine[1] ?? '', 16);
    this.state = this.left === 0 ? 'trailer' : 'chunk';
    return end + 2;
  }

  private readChunkEnd(bytes: Buffer, at: number): number | null {
    if (bytes.length - at < 2) return null;
    if (bytes[at] !== CR || bytes[at + 1] !== LF)
      throw new Error('a chunk is longer than its header');
    this.state = 'chunk_line';
    return at + 2;
  }

  private readTrailer(bytes: Buffer, at: number): number | null {
    const end = lineEnd(bytes, at);
    if (end === null) return null;
    this.trailerBytes += end - at;
    if (this.trailerBytes > HEAD_MAX_BYTES) throw new Error('trailers without end');
    if (end === at) this.finish();
    return end + 2;
  }

  private finish(): void {
    this.state = 'done';
    this.receiver.end();
  }
}

/**
 * The position of the line's CRLF; null while it has not arrived. A line feed alone ends no line.
 */
function lineEnd(bytes: Buffer, at: number): number | null {
  const lf = bytes.indexOf(LF, at);
  if ((lf < 0 ? bytes.length : lf) - at > LINE_MAX_BYTES) throw new Error('a line without end');
  if (lf < 0) return null;
  if (lf === at || bytes[lf - 1] !== CR) throw new Error('a line that ends in a line feed alone');
  return lf - 1;
}
