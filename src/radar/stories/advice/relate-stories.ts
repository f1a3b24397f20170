// Two requests about a pair of stories: the relation of the first to the second, and the reverse. A
// verdict counts only when both replies agree, which removes a model's position bias.
import type { ModelRequester } from '../../../kernel/ports/model.ts';
import type { World } from '../../../kernel/world.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import type { MergeCandidate, MergeVerdict } from './merge-candidates.ts';
import { type RelatePrompt, relatedOf, relateQuestion } from './relate-question.ts';

type StoryItems = readonly [StoryItem, ...StoryItem[]];

/** Number of requests per verdict. */
export const callsPerVerdict = 2;

export async function relateStories(
  world: World,
  {
    requestModel,
    relate,
  }: { readonly requestModel: ModelRequester; readonly relate: RelatePrompt },
  a: StoryItems,
  b: StoryItems,
): Promise<MergeVerdict['verdict']> {
  const [first, second] = [asReport(a), asReport(b)];
  const from = async (report: StoryItem, candidate: StoryItem): Promise<boolean | null> => {
    const result = await requestModel(world, relateQuestion(relate, report, [candidate]));
    if (result.kind !== 'answered') return null;
    const [related] = relatedOf(result.value, [candidate]);
    return related === undefined ? null : related.relation === 'same_event';
  };
  const [forward, backward] = await Promise.all([from(first, second), from(second, first)]);
  if (forward === null || backward === null) return 'unheard';
  if (forward !== backward) return 'disagree';
  return forward ? 'same' : 'apart';
}

/** A story as one report: its first report, with the titles of some others. */
function asReport([first, ...otherItems]: StoryItems): StoryItem {
  const titles = otherItems.map(({ title }) => title);
  return { ...first, text: [...titles, first.text ?? ''].join('\n') };
}

/** Null: the story's items no longer exist. */
export function storyItemsOf(
  { a, b }: MergeCandidate,
  itemOf: (id: string) => StoryItem | undefined,
): readonly [StoryItems, StoryItems] | null {
  const [one, other] = [a, b].map((ids) => ids.flatMap((id) => itemOf(id) ?? []));
  const [first, second] = [one?.[0], other?.[0]];
  if (first === undefined || second === undefined) return null;
  return [
    [first, ...(one ?? []).slice(1)],
    [second, ...(other ?? []).slice(1)],
  ];
}
