// A stream's pieces, each handed on in the turn in which it came: a stream's own iterator waits for
// another turn of the event loop with each of them, which is half of what a relay adds to a chunk.
// It listens from the beginning, so that what comes with the head of an answer is there with it.
import type { Readable } from 'node:stream';

/** For one reader: piece by piece when it asks, or from some piece on each as it comes. */
export type Pieces = AsyncIterable<Buffer> & { flowTo(taker: Taker): void };

/** Called while the bytes are being read from the wire, before whatever waits for a promise. */
export type Taker = {
  piece(bytes: Buffer, flow: Flow): void;
  /** Once, after the last piece; an error: it broke or was cut off. */
  ended(error: Error | null): void;
};

/** While it is held, nothing is handed over and little more is read. */
export type Flow = { hold(): void; goOn(): void };

type Step = IteratorResult<Buffer, undefined>;
type Asking = { readonly resolve: (step: Step) => void; readonly reject: (error: Error) => void };

/** What nobody has asked for yet is kept up to here; then the stream waits. */
const KEPT_BYTES = 16 * 1024;

const DONE: Step = { done: true, value: undefined };

export function readAsItComes(stream: Readable): Pieces {
  const kept = openKept();
  let asking: Asking | null = null;
  let taker: Taker | null = null;
  let isHeld = false;
  let ended: 'whole' | Error | null = null;
  const take = () => {
    const value = kept.take();
    if (kept.bytes() === 0 && !isHeld && stream.isPaused()) stream.resume();
    return value;
  };
  const handOver = () => {
    while (taker !== null && !isHeld) {
      const value = take();
      if (value !== undefined) {
        taker.piece(value, flow);
        continue;
      }
      if (ended === null) return;
      const told = taker;
      taker = null;
      told.ended(ended === 'whole' ? null : ended);
    }
  };
  const hold = () => {
    isHeld = true;
    stream.pause();
  };
  const goOn = () => {
    isHeld = false;
    handOver();
  };
  const flow: Flow = { hold, goOn };
  const end = (how: 'whole' | Error) => {
    if (ended !== null) return;
    ended = how;
    const reader = asking;
    asking = null;
    if (how === 'whole') reader?.resolve(DONE);
    else reader?.reject(how);
    if (kept.bytes() === 0) handOver();
  };
  stream.on('data', (value: Buffer) => {
    if (taker !== null && !isHeld && kept.bytes() === 0) return taker.piece(value, flow);
    const reader = asking;
    asking = null;
    if (reader !== null) return reader.resolve({ done: false, value });
    kept.put(value);
    if (kept.bytes() > KEPT_BYTES) stream.pause();
  });
  hearTheEnd(stream, end);
  const next = (): Promise<Step> => {
    const value = take();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (ended === 'whole') return Promise.resolve(DONE);
    if (ended !== null) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      asking = { resolve, reject };
    });
  };
  return {
    [Symbol.asyncIterator]: () => ({ next, return: () => leave(stream) }),
    flowTo: (given) => {
      taker = given;
      handOver();
    },
  };
}

async function leave(stream: Readable): Promise<Step> {
  stream.destroy();
  return DONE;
}

function hearTheEnd(stream: Readable, end: (how: 'whole' | Error) => void): void {
  stream.once('end', () => end('whole'));
  stream.once('error', end);
  stream.once('close', () => end(new Error('the answer was cut off')));
  if (stream.destroyed) end(stream.errored ?? new Error('the answer was cut off'));
}

/** Pieces that nobody has asked for yet, in their order. */
function openKept() {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return {
    bytes: () => bytes,
    put: (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
    },
    take: () => {
      const piece = pieces.shift();
      bytes -= piece?.length ?? 0;
      return piece;
    },
  };
}
