// Ends a response with a lingering close (RFC 9112, 9.6): the server sends a refusal while the
// client still sends its body. An immediate close would reset the connection, and Node's `fetch`
// would report EPIPE.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, startTimer } from '../time/clock.ts';

/** Limits for a client that finishes its request: time, and further bytes. */
const LINGER_MS = 5_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Sends the body and ends the response. The connection closes only after the request is complete or
 * a limit is reached. Until then the remaining bytes of the request are read and dropped.
 */
export function endResponse(
  clock: Clock,
  req: IncomingMessage,
  res: ServerResponse,
  body?: string | Uint8Array,
): void {
  if (req.complete) {
    res.end(body);
    return;
  }
  // The client has the whole response now, because its length is in the head.
  if (body === undefined || body.length === 0) res.flushHeaders();
  else res.write(body);
  let remainingBytes = LINGER_BYTES;
  let isFinished = false;
  const finish = () => {
    if (isFinished) return;
    isFinished = true;
    cancelTimer();
    res.end();
  };
  const cancelTimer = startTimer(clock, LINGER_MS, finish);
  req.on('data', (chunk: Buffer) => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) finish();
  });
  for (const event of ['end', 'close', 'error']) req.once(event, finish);
  req.resume();
}
