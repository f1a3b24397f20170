// Assigns a whole stream of items with an adviser; `assignAll` does the same without an adviser.
// Evaluations use both to measure the effect of a model.
import type { World } from '../../../kernel/world.ts';
import { openEngine } from '../clustering/engine.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { noAdvice } from './advice.ts';
import type { Adviser } from './open-adviser.ts';

/** Texts that are embedded together. */
const BATCH = 64;

/** Each item's story after the stream, in the stream's order. */
export async function assignAdvised(
  world: World,
  rules: StoryRules,
  items: readonly StoryItem[],
  adviser: Adviser,
): Promise<readonly { readonly id: string; readonly story: string }[]> {
  const engine = openEngine(rules);
  const storyItemsById = new Map<string, StoryItem>();
  const itemOf = (id: string) => storyItemsById.get(id);
  engine.collectMergeCandidates();
  const decideCandidates = async () => {
    const candidates = engine.takeMergeCandidates();
    if (candidates.length === 0) return;
    engine.applyVerdicts(await adviser.relateStories(world, candidates, itemOf));
  };
  for (let from = 0; from < items.length; from += BATCH) {
    const batch = items.slice(from, from + BATCH);
    const neighbours = await adviser.adviseByVectors(world, batch);
    for (const item of batch) {
      const advice = neighbours.get(item.id) ?? noAdvice;
      const proposal = engine.propose(item, advice);
      engine.add(item, await adviser.relate(world, item, { proposal, advice, itemOf }));
      storyItemsById.set(item.id, item);
    }
    await decideCandidates();
  }
  engine.recluster();
  await decideCandidates();
  return engine.assigned();
}
