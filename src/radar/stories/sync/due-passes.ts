// The schedule of repair passes: once in every hour of the clock.
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { StoryHead } from '../../../store/radar/stories/story-head.ts';

/** A function of the clock and of past passes only. */
export function isReclusterDue(now: number, { seq, compared_at: last }: StoryHead): boolean {
  // Before the first decision there is nothing to cluster.
  if (seq === 0) return false;
  return last === null || Math.floor(now / HOUR_MS) > Math.floor(last / HOUR_MS);
}
