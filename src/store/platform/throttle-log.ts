// Throttles repeated errors. A queue polls its database many times a second, and during an outage
// the same message would fill a disk. Each message is logged once, and again after a minute.
import type { Clock } from '../../kernel/time/clock.ts';

const SILENCE_MS = 60_000;

/** `tell` gets the complaint without pg-boss's note of which of its loops met it. */
export function tellSparingly(
  clock: Clock,
  tell: (complaint: string) => void,
): (message: string) => void {
  const toldAt = new Map<string, number>();
  return (message) => {
    const complaint = message.replace(/ \(Queue: [^)]*\)$/, '');
    const now = clock.now();
    for (const [told, at] of toldAt) if (now - at >= SILENCE_MS) toldAt.delete(told);
    if (toldAt.has(complaint)) return;
    toldAt.set(complaint, now);
    tell(complaint);
  };
}
