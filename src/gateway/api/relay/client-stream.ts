// The client's end of a stream, as the relay writes to it: no faster than it is taken, and each
// piece in one write.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientStream } from './relay-context.ts';

/** Of an answer whose head is made and not sent: it leaves together with the first piece. */
export function openClientStream(res: ServerResponse): ClientStream {
  // Null: HTTP/1.0 knows no chunks, and an answer that waits for an earlier one has no socket yet.
  let socket: Socket | null = null;
  return {
    // What is written after it has left goes nowhere, and there is nothing to wait for.
    write: (bytes) => {
      if (res.destroyed) return true;
      // As a chunk it would be the answer's end.
      if (bytes.length === 0) return true;
      if (socket !== null) return socket.write(chunkOf(bytes));
      const isTaken = res.write(bytes);
      if (res.chunkedEncoding) ({ socket } = res);
      return isTaken;
    },
    drained: (halt) =>
      new Promise((resolve) => {
        const writes = socket ?? res;
        const done = () => {
          writes.off('drain', done);
          res.off('close', done);
          halt.off(done);
          resolve();
        };
        if (res.destroyed || halt.reason !== null || !writes.writableNeedDrain) return resolve();
        writes.on('drain', done);
        res.on('close', done);
        halt.on(done);
      }),
    end: (last) => {
      if (last.length === 0) res.destroy();
      else res.end(last);
    },
  };
}

const CRLF = '\r\n';

/**
 * A chunk (RFC 9112, 7.1) as one piece of memory. The platform writes its length, its bytes and its
 * line ends as four, which took a bare proxy 0.01 to 0.03 ms longer for each.
 */
function chunkOf(bytes: Buffer): Buffer {
  const length = bytes.length.toString(16);
  const chunk = Buffer.allocUnsafe(length.length + bytes.length + 2 * CRLF.length);
  const from = chunk.write(length + CRLF, 'latin1');
  bytes.copy(chunk, from);
  chunk.write(CRLF, from + bytes.length, 'latin1');
  return chunk;
}
