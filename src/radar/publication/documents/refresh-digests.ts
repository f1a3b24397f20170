// Rewrites the digests that older rules wrote, newest stories first. Each transaction is small, so
// that other publishers wait only briefly.
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { inTransaction } from '../../../store/platform/db.ts';
import { listStoriesOfOtherRules } from '../../../store/radar/stories/story-digests.ts';
import { digestRules } from '../digest/digest.ts';
import { publishDocuments } from './publish-documents.ts';

/** Stories per transaction. */
const BATCH_SIZE = 10;
const STORIES_PER_CALL = 200;

/** Returns the number of stories whose digests were written again. */
export async function refreshDigests(world: World, db: Db): Promise<number> {
  let storyCount = 0;
  while (storyCount < STORIES_PER_CALL) {
    const stories = await listStoriesOfOtherRules(db, digestRules, BATCH_SIZE);
    if (stories.length === 0) break;
    await inTransaction(db, (tx) =>
      publishDocuments(
        world,
        tx,
        stories.map((key) => ({ kind: 'story', key })),
      ),
    );
    storyCount += stories.length;
  }
  return storyCount;
}
