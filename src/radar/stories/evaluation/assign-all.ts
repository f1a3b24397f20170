// Assigns a whole stream: each item in turn, then all of them again, or the recent ones each hour.
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { openEngine } from '../clustering/engine.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { RECENT_MS } from '../sync/due-passes.ts';

type AssignedItem = { readonly id: string; readonly story: string };

/** Each item's story after the stream, in the stream's order. */
export function assignAll(rules: StoryRules, items: readonly StoryItem[]): readonly AssignedItem[] {
  const engine = openEngine(rules);
  for (const item of items) engine.add(item);
  engine.recluster();
  return engine.assigned();
}

/**
 * Each item's story when the radar clusters the reports of the last 48 hours again each hour, until
 * all reports are older. Items without a time arrive with the item before them.
 */
export function assignHourly(
  rules: StoryRules,
  items: readonly StoryItem[],
): readonly AssignedItem[] {
  const engine = openEngine(rules);
  const times = items.flatMap(({ timeMs }) => timeMs ?? []);
  const last = Math.max(...times) + RECENT_MS + HOUR_MS;
  let nextPass = Math.min(...times) + HOUR_MS;
  const runPasses = (until: number) => {
    for (; nextPass <= until; nextPass += HOUR_MS) engine.recluster(nextPass - RECENT_MS);
  };
  for (const item of items) {
    if (item.timeMs !== null) runPasses(item.timeMs);
    engine.add(item);
  }
  runPasses(last);
  // This pass reads only reports without a time.
  engine.recluster(last);
  return engine.assigned();
}
