// Assigns a whole stream: adds the items one by one, then clusters all of them again.
import { openEngine } from '../clustering/engine.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import type { StoryRules } from '../rules/open-rules.ts';

/** Each item's story after the stream, in the stream's order. */
export function assignAll(
  rules: StoryRules,
  items: readonly StoryItem[],
): readonly { readonly id: string; readonly story: string }[] {
  const engine = openEngine(rules);
  for (const item of items) engine.add(item);
  engine.recluster();
  return engine.assigned();
}
