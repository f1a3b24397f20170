// A stream's pieces, each handed on in the turn in which it came: a stream's own iterator waits for
// another turn of the event loop with each of them, which is half of what a relay adds to a chunk.
// It listens from the beginning, so that what comes with the head of an answer is there with it.
import type { Readable } from 'node:stream';

type Step = IteratorResult<Buffer, undefined>;
type Waiting = { readonly resolve: (step: Step) => void; readonly reject: (error: Error) => void };

/** What nobody has asked for yet is kept up to here; then the stream waits. */
const KEPT_BYTES = 16 * 1024;

const DONE: Step = { done: true, value: undefined };

/** For one reader. Ends when the stream does; rejects when it breaks or is cut off. */
export function readAsItComes(stream: Readable): AsyncIterable<Buffer> {
  const come: Buffer[] = [];
  let bytes = 0;
  let waiting: Waiting | null = null;
  let ended: 'whole' | Error | null = null;
  const end = (how: 'whole' | Error) => {
    ended ??= how;
    const reader = waiting;
    waiting = null;
    if (how === 'whole') reader?.resolve(DONE);
    else reader?.reject(how);
  };
  stream.on('data', (value: Buffer) => {
    const reader = waiting;
    waiting = null;
    if (reader !== null) return reader.resolve({ done: false, value });
    come.push(value);
    bytes += value.length;
    if (bytes > KEPT_BYTES) stream.pause();
  });
  stream.once('end', () => end('whole'));
  stream.once('error', end);
  stream.once('close', () => end(new Error('the answer was cut off')));
  if (stream.destroyed) end(stream.errored ?? new Error('the answer was cut off'));
  const reader: AsyncIterator<Buffer, undefined> = {
    next: () => {
      const value = come.shift();
      if (value !== undefined) {
        bytes -= value.length;
        if (come.length === 0 && stream.isPaused()) stream.resume();
        return Promise.resolve({ done: false, value });
      }
      if (ended === 'whole') return Promise.resolve(DONE);
      if (ended !== null) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
    return: () => {
      stream.destroy();
      return Promise.resolve(DONE);
    },
  };
  return { [Symbol.asyncIterator]: () => reader };
}
