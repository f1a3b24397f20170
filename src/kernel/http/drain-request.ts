// A client that is refused while it still sends may finish: closed at once, the connection would be
// reset before the client has read why.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../time/clock.ts';

/** Within this time and no longer. */
const LINGER_MS = 5_000;

export function letFinish(clock: Clock, req: IncomingMessage): void {
  const done = new AbortController();
  req.once('close', () => done.abort());
  req.resume();
  clock.sleep(LINGER_MS, done.signal).then(
    () => req.destroy(),
    () => {},
  );
}
