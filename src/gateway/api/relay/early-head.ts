// Sends the head of a stream after a delay, when the upstream has sent no visible part by then.
// Clients and proxies then keep the connection open. Relay contract, 3.1.
import type { Deadlines } from '../../../kernel/time/deadlines.ts';
import type { ClientStream } from './relay-context.ts';

const HEAD_DELAY_MS = 15_000;
const COMMENT_INTERVAL_MS = 10_000;
/** Every event-stream parser ignores a comment. */
const WAITING_COMMENT = Buffer.from(': waiting\n\n');

export type EarlyHead = {
  /** The stream whose head was sent; null: no head was sent. */
  readonly stream: ClientStream | null;
  /** Stops the comments. */
  close(): void;
};

/** `begin` sends the head and returns the stream. */
export function openEarlyHead(deadlines: Deadlines, begin: () => ClientStream): EarlyHead {
  let stream: ClientStream | null = null;
  const writeComment = (): void => {
    stream?.write(WAITING_COMMENT);
    stopTimer = deadlines.callAfter(COMMENT_INTERVAL_MS, writeComment);
  };
  let stopTimer = deadlines.callAfter(HEAD_DELAY_MS, () => {
    stream = begin();
    writeComment();
  });
  return {
    get stream() {
      return stream;
    },
    close: () => stopTimer(),
  };
}
