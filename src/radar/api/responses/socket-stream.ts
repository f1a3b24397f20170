// Wraps a socket in a Duplex for `node:http`, so that the fast path can read the socket's bytes
// first. Node documents that its server accepts any Duplex.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

type Chunk = { readonly chunk: Buffer; readonly encoding: BufferEncoding };

/** Writes go to the socket; reads return the bytes that the owner pushes. */
export function wrapSocket(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => {
      socket.resume();
    },
    write: (chunk, encoding, done) => {
      socket.write(chunk, encoding, done);
    },
    writev: (chunks, done) => {
      socket.cork();
      const last = chunks.length - 1;
      for (const [index, { chunk, encoding }] of (chunks as Chunk[]).entries()) {
        if (index === last) socket.write(chunk, encoding, done);
        else socket.write(chunk, encoding);
      }
      socket.uncork();
    },
    final: (done) => {
      socket.end(done);
    },
    destroy: (error, done) => {
      // Earlier responses are still sent. After an error the client no longer reads.
      if (error === null) socket.destroySoon();
      else socket.destroy();
      done(error);
    },
  });
  // Properties of a socket that the request filter, the logs and Node read.
  return Object.defineProperties(stream, {
    remoteAddress: { get: () => socket.remoteAddress },
    remotePort: { get: () => socket.remotePort },
    localAddress: { get: () => socket.localAddress },
    localPort: { get: () => socket.localPort },
  });
}
