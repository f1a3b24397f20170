// Writes a streamed response to the client. It reports backpressure, and each chunk is one write.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientStream } from './relay-context.ts';

/** The head of the response is sent together with the first chunk. */
export function openClientStream(res: ServerResponse): ClientStream {
  // Null before the first write, for a response without chunked coding (HTTP/1.0), or while a
  // pipelined response waits for its socket.
  let socket: Socket | null = null;
  return {
    // After a disconnect, writes have no effect and return at once.
    write: (bytes) => {
      if (res.destroyed) return true;
      // An empty chunk would end the response.
      if (bytes.length === 0) return true;
      if (socket !== null) return socket.write(toChunk(bytes));
      const hasCapacity = res.write(bytes);
      if (res.chunkedEncoding) ({ socket } = res);
      return hasCapacity;
    },
    waitForDrain: (cancelToken) =>
      new Promise((resolve) => {
        const writable = socket ?? res;
        const finish = () => {
          writable.off('drain', finish);
          res.off('close', finish);
          cancelToken.off(finish);
          resolve();
        };
        // No wait: the client has disconnected, the call is canceled, or the buffer is not full.
        if (res.destroyed || cancelToken.reason !== null || !writable.writableNeedDrain)
          return resolve();
        writable.on('drain', finish);
        res.on('close', finish);
        cancelToken.on(finish);
      }),
    end: (lastBytes) => {
      if (lastBytes.length === 0) res.destroy();
      else res.end(lastBytes);
    },
  };
}

const CRLF = '\r\n';

/**
 * A chunk (RFC 9112, 7.1) as one buffer. Node writes its length, bytes and line ends separately,
 * which took 0.01 to 0.03 ms more per chunk.
 */
function toChunk(bytes: Buffer): Buffer {
  const length = bytes.length.toString(16);
  const chunk = Buffer.allocUnsafe(length.length + bytes.length + 2 * CRLF.length);
  const bodyStart = chunk.write(length + CRLF, 'latin1');
  bytes.copy(chunk, bodyStart);
  chunk.write(CRLF, bodyStart + bytes.length, 'latin1');
  return chunk;
}
