// Throttles repeated errors. A queue polls its database many times a second, and during an outage
// the same message would fill a disk. Each message is logged once, and again after a minute.
import type { Clock } from '../../kernel/time/clock.ts';

const SILENCE_MS = 60_000;

/** `log` receives the message without pg-boss's suffix with the queue's name. */
export function throttleLog(
  clock: Clock,
  log: (shortMessage: string) => void,
): (message: string) => void {
  const loggedAt = new Map<string, number>();
  return (message) => {
    const shortMessage = message.replace(/ \(Queue: [^)]*\)$/, '');
    const now = clock.now();
    for (const [message, at] of loggedAt) if (now - at >= SILENCE_MS) loggedAt.delete(message);
    if (loggedAt.has(shortMessage)) return;
    loggedAt.set(shortMessage, now);
    log(shortMessage);
  };
}
