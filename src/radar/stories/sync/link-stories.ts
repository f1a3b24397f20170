// Finds links between existing stories. Each story has links to a few nearest stories of the same
// storyline, and to a few nearest related stories.
import type { Db } from '../../../kernel/ports/db.ts';
import { readStoriesById } from '../../../store/radar/stories/stories.ts';
import type { StoredStoryLink } from '../../../store/radar/stories/story-links.ts';
import type { RelatedStory } from '../clustering/find-related.ts';
import { probability } from '../scoring/average-link.ts';
import type { StoryChanges } from './changes.ts';
import type { EngineReply } from './engine-commands.ts';
import type { StoryIdMap } from './story-id-map.ts';

const MAX_PER_KIND = 6;
/** Minimum log-odds of a link. Two stories with log-odds above 0 would be merged. */
const STORYLINE_FROM = -4;
const RELATED_FROM = -2.5;

/** `related`: neighbours of the changed stories, by the engine's ids. The links have public ids. */
export async function findLinksBetween(
  tx: Db,
  idMap: StoryIdMap,
  related: EngineReply['neighbours'],
  { founded, merged }: Pick<StoryChanges, 'founded' | 'merged'>,
): Promise<Pick<StoryChanges, 'linked' | 'links'>> {
  const links = related.flatMap(([name, others]) => {
    const storyId = idMap.publicOf(name);
    return storyId === null ? [] : linksFrom(storyId, others, idMap);
  });
  const existingStories = await readStoriesById(tx, [
    ...new Set(links.map(({ other_id }) => other_id)),
  ]);
  const isFounded = new Set(founded.map(({ id }) => id));
  const isGone = new Set(merged.map(({ id }) => id));
  const isLinkable = (id: string) =>
    !isGone.has(id) && (isFounded.has(id) || existingStories.get(id)?.merged_into === null);
  const linked = related.flatMap(([name]) => idMap.publicOf(name) ?? []);
  return {
    linked: linked.filter((id) => !isGone.has(id)),
    links: links.filter(({ story_id, other_id }) => !isGone.has(story_id) && isLinkable(other_id)),
  };
}

function linksFrom(
  storyId: string,
  related: readonly RelatedStory[],
  idMap: StoryIdMap,
): readonly StoredStoryLink[] {
  const linksOf = (relation: StoredStoryLink['relation'], fromOdds: number) => {
    const isOfKind = ({ isSameStoryline, odds }: RelatedStory) =>
      isSameStoryline === (relation === 'storyline') && odds >= fromOdds;
    const nearest = related.filter(isOfKind).slice(0, MAX_PER_KIND);
    return nearest.flatMap((other): readonly StoredStoryLink[] => {
      const otherId = idMap.publicOf(other.storyId);
      if (otherId === null || otherId === storyId) return [];
      const score = probability(other.odds);
      return [{ story_id: storyId, other_id: otherId, relation, score }];
    });
  };
  return [...linksOf('storyline', STORYLINE_FROM), ...linksOf('related', RELATED_FROM)];
}
