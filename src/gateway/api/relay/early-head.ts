// The head of a stream whose upstream has sent nothing visible yet. It is sent after some time, so
// that clients and proxies keep the connection open. Relay contract, 3.1.
import type { Deadlines } from '../../../kernel/time/deadlines.ts';
import type { ClientStream } from './relay-context.ts';

const HEAD_MS = 15_000;
const COMMENT_MS = 10_000;
/** Every event-stream parser ignores a comment. */
const WAITING = Buffer.from(': waiting\n\n');

export type EarlyHead = {
  /** The stream whose head was sent; null: it was not. */
  readonly stream: ClientStream | null;
  /** No further comment is written. */
  close(): void;
};

/** `begin` sends the head. */
export function openEarlyHead(deadlines: Deadlines, begin: () => ClientStream): EarlyHead {
  let stream: ClientStream | null = null;
  const comment = (): void => {
    stream?.write(WAITING);
    stopTimer = deadlines.after(COMMENT_MS, comment);
  };
  let stopTimer = deadlines.after(HEAD_MS, () => {
    stream = begin();
    comment();
  });
  return {
    get stream() {
      return stream;
    },
    close: () => stopTimer(),
  };
}
