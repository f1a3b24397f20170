// When stories are looked at again: a lone one two hours and twelve hours after it was founded,
// others of the last two days once a day, a share of them every hour, and large ones for a split at
// four in the morning. What is due depends on the clock and on what was done, and on nothing else.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { StoryHead } from '../../../store/radar/stories/story-head.ts';

const LOOK_AGAIN_AFTER_MS = [2 * HOUR_MS, 12 * HOUR_MS] as const;
const LOOK_EVERY_MS = 10 * MINUTE_MS;
const HOURS = 24;
/** 04:00 in Asia/Shanghai, after midnight UTC. */
const SPLIT_AT_MS = 20 * HOUR_MS;

export type Passes = {
  /** Lone stories decided in these spans, (after, until], epoch milliseconds. */
  readonly look: readonly { readonly after: number; readonly until: number }[] | null;
  /** Hours of the day whose share of stories is held against the others. */
  readonly compare: ReadonlySet<number>;
  readonly split: boolean;
};

export function duePasses(now: number, head: StoryHead): Passes {
  // Nothing has been decided yet: nothing is there to be looked at again.
  if (head.seq === 0) return { look: null, compare: new Set(), split: false };
  const { looked_at: looked, compared_at: compared, split_at: split } = head;
  return {
    look:
      looked === null || now - looked >= LOOK_EVERY_MS
        ? LOOK_AGAIN_AFTER_MS.map((after) => ({
            after: (looked ?? 0) - after,
            until: now - after,
          }))
        : null,
    compare: hoursBetween(compared ?? now - DAY_MS, now),
    split: split === null || lastBoundary(now) > split,
  };
}

export const isAnyDue = ({ look, compare, split }: Passes) =>
  look !== null || compare.size > 0 || split;

/** The hour of the day to which a story belongs: its name's chance, spread evenly. */
export const hourOf = (storyId: string) => Number.parseInt(storyId.slice(-4), 16) % HOURS;

function hoursBetween(after: number, until: number): ReadonlySet<number> {
  const [first, last] = [Math.floor(after / HOUR_MS) + 1, Math.floor(until / HOUR_MS)];
  const count = Math.max(0, Math.min(HOURS, last - first + 1));
  return new Set(Array.from({ length: count }, (_, index) => (last - index) % HOURS));
}

const lastBoundary = (now: number) =>
  Math.floor((now - SPLIT_AT_MS) / DAY_MS) * DAY_MS + SPLIT_AT_MS;
