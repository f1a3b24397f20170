// Parses the bytes of a connection into one response: head, body chunks, end. It skips provisional
// responses (1xx) and drops trailers.
import { type ResponseHead, readHead } from './read-head.ts';

export type ResponseReceiver = {
  onHead(head: ResponseHead): void;
  onChunk(bytes: Buffer): void;
  /** The body is complete. */
  onEnd(): void;
};

const HEAD_MAX_BYTES = 64 * 1024;
/** The longest chunk-size line with its extensions, and the longest trailer line. */
const LINE_MAX_BYTES = 8 * 1024;
const MAX_PROVISIONAL_COUNT = 20;

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
  /** The first byte of the response has arrived. */
  hasBegun = false;
  private state: State = 'head';
  /** Remaining bytes of the body or the chunk. */
  private remainingBytes = 0;
  private trailerBytes = 0;
  private provisionalCount = 0;
  /** An incomplete head or line. */
  private partial: Buffer | null = null;

  constructor(receiver: ResponseReceiver) {
    this.receiver = receiver;
  }

  get isDone(): boolean {
    return this.state === 'done';
  }

  /**
   * Returns the number of bytes after the end of the response, which should be 0. Throws an Error
   * when the bytes are not HTTP.
   */
  feed(chunk: Buffer): number {
    this.hasBegun = true;
    let bytes = chunk;
    if (this.partial !== null) {
      bytes = Buffer.concat([this.partial, chunk]);
      this.partial = null;
    }
    let position = 0;
    while (position < bytes.length && this.state !== 'done') {
      const next = this.step(bytes, position);
      if (next === null) {
        this.partial = position === 0 ? bytes : bytes.subarray(position);
        return 0;
      }
      position = next;
    }
    return bytes.length - position;
  }

  /** Called when the connection has ended. Throws when the response is incomplete. */
  close(): void {
    if (this.state === 'until_close') this.finishResponse();
    else if (this.state !== 'done') throw new Error('the response was cut off');
  }

  /** The position after the parsed part; null: more bytes are needed. */
  private step(bytes: Buffer, position: number): number | null {
    switch (this.state) {
      case 'head':
        return this.readHead(bytes, position);
      case 'fixed_length':
      case 'chunk':
        return this.readCounted(bytes, position);
      case 'chunk_line':
        return this.readChunkLine(bytes, position);
      case 'chunk_end':
        return this.readChunkEnd(bytes, position);
      case 'trailer':
        return this.readTrailer(bytes, position);
      default:
        this.receiver.onChunk(bytes.subarray(position));
        return bytes.length;
    }
  }

  private readHead(bytes: Buffer, position: number): number | null {
    const end = bytes.indexOf('\r\n\r\n', position, 'latin1');
    if ((end < 0 ? bytes.length : end) - position > HEAD_MAX_BYTES)
      throw new Error('a head without end');
    if (end < 0) return null;
    const head = readHead(bytes.toString('latin1', position, end));
    const { status, framing } = head;
    if (status < 200) {
      this.provisionalCount += 1;
      if (status === 101 || this.provisionalCount > MAX_PROVISIONAL_COUNT)
        throw new Error('no response began');
      return end + 4;
    }
    this.receiver.onHead(head);
    if (framing === 'chunked') this.state = 'chunk_line';
    else if (framing === 'until_close') this.state = 'until_close';
    else if (framing === 0) this.finishResponse();
    else {
      this.state = 'fixed_length';
      this.remainingBytes = framing;
    }
    return end + 4;
  }

  private readCounted(bytes: Buffer, position: number): number {
    const end = Math.min(bytes.length, position + this.remainingBytes);
    this.remainingBytes -= end - position;
    const isComplete = this.remainingBytes === 0;
    if (isComplete && this.state === 'chunk') this.state = 'chunk_end';
    this.receiver.onChunk(bytes.subarray(position, end));
    if (isComplete && this.state === 'fixed_length') this.finishResponse();
    return end;
  }

  private readChunkLine(bytes: Buffer, position: number): number | null {
    const end = findLineEnd(bytes, position);
    if (end === null) return null;
    // The size in hexadecimal. Chunk extensions are ignored (RFC 9112, 7.1.1).
    const sizeLine = /^([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?$/.exec(
      bytes.toString('latin1', position, end),
    );
    if (sizeLine === null) throw new Error('a chunk without a length');
    this.remainingBytes = Number.parseInt(sizeLine[1] ?? '', 16);
    this.state = this.remainingBytes === 0 ? 'trailer' : 'chunk';
    return end + 2;
  }

  private readChunkEnd(bytes: Buffer, position: number): number | null {
    if (bytes.length - position < 2) return null;
    if (bytes[position] !== CR || bytes[position + 1] !== LF)
      throw new Error('a chunk is longer than its size line states');
    this.state = 'chunk_line';
    return position + 2;
  }

  private readTrailer(bytes: Buffer, position: number): number | null {
    const end = findLineEnd(bytes, position);
    if (end === null) return null;
    this.trailerBytes += end - position;
    if (this.trailerBytes > HEAD_MAX_BYTES) throw new Error('trailers without end');
    if (end === position) this.finishResponse();
    return end + 2;
  }

  private finishResponse(): void {
    this.state = 'done';
    this.receiver.onEnd();
  }
}

/**
 * The position of the line's CRLF; null until the CRLF has arrived. A single line feed does not end
 * a line.
 */
function findLineEnd(bytes: Buffer, position: number): number | null {
  const lf = bytes.indexOf(LF, position);
  if ((lf < 0 ? bytes.length : lf) - position > LINE_MAX_BYTES)
    throw new Error('a line without end');
  if (lf < 0) return null;
  if (lf === position || bytes[lf - 1] !== CR)
    throw new Error('a line that ends in a line feed alone');
  return lf - 1;
}
