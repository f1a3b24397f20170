// Splits bytes into server-sent events at empty lines of any line ending (HTML, "9.2.5 Parsing an
// event stream"). The pieces together equal the input.
import { Fault } from '../../../kernel/errors/fault.ts';

const LF = 10;
const CR = 13;

export type EventSplitter = {
  /**
   * Returns whole events, each with its empty line. Throws a Fault when an event exceeds the
   * maximum size.
   */
  feed(chunk: Buffer): Buffer[];
  /** The remaining text at the end: an event without its empty line, or nothing. */
  remainder(): Buffer;
};

export function openEventSplitter(maxEventBytes: number): EventSplitter {
  let pendingChunks: Buffer[] = [];
  let pendingBytes = 0;
  let isLineEmpty = true;
  let isAfterCr = false;
  const takeEvent = (piece: Buffer): Buffer => {
    const event = pendingChunks.length === 0 ? piece : Buffer.concat([...pendingChunks, piece]);
    pendingChunks = [];
    pendingBytes = 0;
    return event;
  };
  return {
    feed: (chunk) => {
      const events: Buffer[] = [];
      let from = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        const byte = chunk[index];
        const isSecondOfPair = byte === LF && isAfterCr;
        isAfterCr = byte === CR;
        if (isSecondOfPair) continue;
        if (byte !== LF && byte !== CR) {
          isLineEmpty = false;
        } else if (!isLineEmpty) {
          isLineEmpty = true;
        } else {
          // The LF of a CRLF belongs to this line end, if it has arrived.
          if (byte === CR && chunk[index + 1] === LF) {
            index += 1;
            isAfterCr = false;
          }
          events.push(takeEvent(chunk.subarray(from, index + 1)));
          from = index + 1;
        }
      }
      if (from < chunk.length) {
        pendingChunks.push(chunk.subarray(from));
        pendingBytes += chunk.length - from;
        if (pendingBytes > maxEventBytes)
          throw new Fault('upstream_error', 'an event that is too long');
      }
      return events;
    },
    remainder: () => takeEvent(Buffer.alloc(0)),
  };
}
