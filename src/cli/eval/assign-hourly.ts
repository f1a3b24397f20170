// Assigns a whole stream as a running radar does: recent reports are clustered again each hour.
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { openEngine } from '../../radar/stories/clustering/engine.ts';
import type { StoryItem } from '../../radar/stories/clustering/story-item.ts';
import type { assignAll } from '../../radar/stories/evaluation/assign-all.ts';
import type { StoryRules } from '../../radar/stories/rules/open-rules.ts';
import { RECENT_MS } from '../../radar/stories/sync/due-passes.ts';

/**
 * Returns the story of each item. The reports of the last 48 hours are clustered again each hour,
 * until all reports are older. Items without a time arrive with the item before them.
 */
export function assignHourly(
  rules: StoryRules,
  items: readonly StoryItem[],
): ReturnType<typeof assignAll> {
  const engine = openEngine(rules);
  const timesMs = items.flatMap(({ timeMs }) => timeMs ?? []);
  const newestMs = timesMs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const lastPassMs = newestMs + RECENT_MS + HOUR_MS;
  let nextPassMs = timesMs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY) + HOUR_MS;
  const runPasses = (untilMs: number) => {
    for (; nextPassMs <= untilMs; nextPassMs += HOUR_MS) engine.recluster(nextPassMs - RECENT_MS);
  };
  for (const item of items) {
    if (item.timeMs !== null) runPasses(item.timeMs);
    engine.add(item);
  }
  runPasses(lastPassMs);
  // This pass reads only reports without a time.
  engine.recluster(lastPassMs);
  return engine.assigned();
}
