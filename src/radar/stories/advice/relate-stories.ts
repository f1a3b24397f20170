// Sends two requests about a pair of stories: the relation of the first to the second, and the
// reverse. A verdict counts only when both replies agree, which removes a model's position bias.
import type { ModelRequester } from '../../../kernel/ports/model.ts';
import type { World } from '../../../kernel/world.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import type { MergeVerdict } from './merge-candidates.ts';
import { createRelateTask, type RelatePrompt, relatedOf } from './relate-question.ts';

export const requestsPerVerdict = 2;

type RelateDeps = { readonly requestModel: ModelRequester; readonly relate: RelatePrompt };

export async function relateStories(
  world: World,
  { requestModel, relate }: RelateDeps,
  [first, second]: readonly [StoryItem, StoryItem],
): Promise<MergeVerdict['verdict']> {
  const isSameEvent = async (report: StoryItem, candidate: StoryItem): Promise<boolean | null> => {
    const result = await requestModel(world, createRelateTask(relate, report, [candidate]));
    if (result.kind !== 'answered') return null;
    const [related] = relatedOf(result.value, [candidate]);
    return related === undefined ? null : related.relation === 'same_event';
  };
  const [forward, backward] = await Promise.all([
    isSameEvent(first, second),
    isSameEvent(second, first),
  ]);
  if (forward === null || backward === null) return 'no-reply';
  if (forward !== backward) return 'disagree';
  return forward ? 'same' : 'apart';
}

/**
 * Represents a story as one report: its first report, with the titles of some others. Null: its
 * items no longer exist.
 */
export function joinReports(
  itemIds: readonly string[],
  itemOf: (id: string) => StoryItem | undefined,
): StoryItem | null {
  const [first, ...otherItems] = itemIds.flatMap((id) => itemOf(id) ?? []);
  if (first === undefined) return null;
  const titles = otherItems.map(({ title }) => title);
  return { ...first, text: [...titles, first.text ?? ''].join('\n') };
}
