// Publishes changed stories in the caller's transaction. Moved items refer to their new story, and
// all affected stories are projected again.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import { readGroupsByItem } from '../../store/radar/sources/duplicate-groups.ts';
import { RANKING_KEY } from './documents/bodies.ts';
import { prepareStoryDigests } from './documents/project-story.ts';
import { type DocumentRef, publishDocuments } from './documents/publish-documents.ts';
import { documentsOf, publishItems } from './publish-groups.ts';

/**
 * Projects the groups of moved items, and all given stories, again. After a merge or its reversal,
 * callers pass every story of the chain. Returns the publication's sequence number.
 */
export async function publishStories(
  world: World,
  tx: Db,
  moved: { readonly itemIds: readonly string[]; readonly storyIds: readonly string[] },
): Promise<number> {
  // Most digests are written before the lock, so that other publishers wait only briefly.
  const prepared = await prepareStoryDigests(world, tx, moved.storyIds);
  await lockPublication(world, tx);
  const groupIds = new Set((await readGroupsByItem(tx, moved.itemIds)).values());
  const changedItems = await publishItems(world, tx, [...groupIds]);
  const storyRefs = moved.storyIds.map((key): DocumentRef => ({ kind: 'story', key }));
  const citingDocuments = await documentsOf(tx, [...new Set([...changedItems, ...moved.itemIds])]);
  const ranking: DocumentRef = { kind: 'ranking', key: RANKING_KEY };
  return publishDocuments(world, tx, [...storyRefs, ...citingDocuments, ranking], prepared);
}
