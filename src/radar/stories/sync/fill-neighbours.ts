// Fills the adviser's vectors after a start, the newest items first. A first part is filled before
// any decision, the rest in the background until the whole live window has vectors. Stored vectors
// are reused. Missing vectors, for example after a change of the embedding model, are requested
// within a share of the budget. The requests continue after each refill of the budget.

import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { readLiveMembers } from '../../../store/radar/stories/story-members.ts';
import type { Adviser } from '../advice/open-adviser.ts';
import { readStoryItems } from './advise-batch.ts';

export type NeighbourFill = Awaited<ReturnType<typeof fillNeighbours>>;

const PAGE = 250;
/** Filled before the first decision, because most reports belong to the newest stories. */
const FIRST = 2_000;
const LATER_MS = 10 * 60_000;

/**
 * Resolves when the newest items have vectors. `floor`: stories without a report since then are
 * excluded.
 */
export async function fillNeighbours(world: World, db: Db, adviser: Adviser, floor: number) {
  const stop = new AbortController();
  /**
   * Removes loaded ids from the end of `pendingIds`. When vectors are unavailable, it waits if
   * `waitsForVectors` is true, and returns otherwise.
   */
  const fill = async (pendingIds: string[], waitsForVectors: boolean): Promise<void> => {
    while (pendingIds.length > 0 && !stop.signal.aborted) {
      const page = pendingIds.slice(-PAGE);
      const state = await addPage(world, db, adviser, page);
      if (state === 'full') return;
      if (state === 'known') pendingIds.splice(-page.length);
      else if (!waitsForVectors) return;
      else await world.clock.sleep(LATER_MS, stop.signal).catch(() => {});
    }
  };
  // Sorted with the newest last.
  const itemIds: string[] = [];
  for await (const page of readLiveMembers(db, floor))
    itemIds.push(...page.map(({ item_id }) => item_id));
  const first = itemIds.splice(-FIRST);
  await fill(first, false);
  itemIds.push(...first);
  const filling = fill(itemIds, true);
  return {
    /** Stops filling, also before it is complete. */
    close: async (): Promise<void> => {
      stop.abort();
      await filling;
    },
  };
}

async function addPage(world: World, db: Db, adviser: Adviser, page: readonly string[]) {
  try {
    const items = [...(await readStoryItems(db, page)).values()];
    return await adviser.loadVectors(
      world,
      items.sort((a, b) => (b.timeMs ?? 0) - (a.timeMs ?? 0)),
    );
  } catch (error) {
    world.log.warn({ error: messageOf(error) }, 'vectors of stored items could not be read');
    return 'later';
  }
}
