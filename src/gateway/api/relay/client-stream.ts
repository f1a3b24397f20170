// The client's end of a stream, as the relay writes to it: no faster than it is taken.
import type { ServerResponse } from 'node:http';
import type { OpenStream } from './relay-context.ts';

export function openClientStream(res: ServerResponse): OpenStream {
  return {
    // What is written after it has left goes nowhere, and there is nothing to wait for.
    write: (bytes) => res.destroyed || res.write(bytes),
    drained: (halt) =>
      new Promise((resolve) => {
        const done = () => {
          res.off('drain', done).off('close', done);
          halt.off(done);
          resolve();
        };
        if (res.destroyed || halt.why !== null || !res.writableNeedDrain) return resolve();
        res.on('drain', done).on('close', done);
        halt.on(done);
      }),
    end: (last) => {
      if (last === '') res.destroy();
      else res.end(last);
    },
  };
}
