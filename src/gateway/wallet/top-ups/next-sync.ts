// Computes the time of the next sync of a top-up, because a webhook can be lost and a customer may
// not return. The interval equals the age of the top-up, from two minutes to six hours.
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { TopUpState } from '../../../store/gateway/top-ups.ts';

/** A session can be paid for 24 hours, and slow payments take up to two weeks, plus a margin. */
const OPEN_MS = 25 * 60 * MINUTE_MS;
const PROCESSING_MS = 15 * 24 * 60 * MINUTE_MS;

/** Epoch milliseconds; null: no further periodic sync. */
export function nextSyncAt(state: TopUpState, begunAt: number, now: number): number | null {
  const ageMs = Math.max(0, now - begunAt);
  const maxAgeMs = state === 'processing' ? PROCESSING_MS : OPEN_MS;
  const isOver = !['begun', 'open', 'processing'].includes(state) || ageMs > maxAgeMs;
  if (isOver) return null;
  return now + Math.max(2 * MINUTE_MS, Math.min(ageMs, 6 * 60 * MINUTE_MS));
}
