// Reads items that have a story, as input of an engine: their stored features, or their texts.
import type { Db } from '../../../kernel/ports/db.ts';
import { findFeatures } from '../../../store/radar/stories/story-features.ts';
import { readStoryItemRows } from '../../../store/radar/stories/story-items.ts';
import type { PlaceStep } from './engine-commands.ts';
import { storyItemOf } from './item-from-row.ts';

export type EngineItem = {
  readonly groupId: string;
  /** With stored features the item has neither title nor language. */
  readonly placement: Pick<PlaceStep, 'item' | 'features'>;
};

/** `at`: the time with which an item was assigned, epoch milliseconds. */
export async function readEngineItems(
  tx: Db,
  featureVersion: string,
  items: readonly { readonly item_id: string; readonly at: number }[],
): Promise<ReadonlyMap<string, EngineItem>> {
  const ids = items.map(({ item_id }) => item_id);
  const storedFeatures = await findFeatures(tx, featureVersion, ids);
  const rows = await readStoryItemRows(
    tx,
    ids.filter((id) => !storedFeatures.has(id)),
  );
  const engineItems = new Map<string, EngineItem>();
  for (const { item_id: id, at } of items) {
    const [stored, row] = [storedFeatures.get(id), rows.get(id)];
    if (stored !== undefined) {
      const item = { id, timeMs: at, lang: '', title: '' };
      engineItems.set(id, { groupId: stored.groupId, placement: { item, features: stored.view } });
    } else if (row !== undefined) {
      engineItems.set(id, { groupId: row.group_id, placement: { item: storyItemOf(row, at) } });
    }
  }
  return engineItems;
}
