// Reads items that have a story, as input of an engine: their stored features, or their texts.
import type { Db } from '../../../kernel/ports/db.ts';
import { findFeatures } from '../../../store/radar/stories/story-features.ts';
import { readStoryItemRows } from '../../../store/radar/stories/story-items.ts';
import type { PlaceStep } from './engine-commands.ts';
import { storyItemOf } from './item-from-row.ts';

export type EngineItem = {
  readonly groupId: string;
  /** With stored features the item has neither title nor language. */
  readonly placement: Pick<PlaceStep, 'item' | 'view'>;
};

/** `at`: the time with which an item was assigned, epoch milliseconds. */
export async function readEngineItems(
  tx: Db,
  viewVersion: string,
  items: readonly { readonly item_id: string; readonly at: number }[],
): Promise<ReadonlyMap<string, EngineItem>> {
  const ids = items.map(({ item_id }) => item_id);
  const views = await findFeatures(tx, viewVersion, ids);
  const rows = await readStoryItemRows(
    tx,
    ids.filter((id) => !views.has(id)),
  );
  const placed = new Map<string, EngineItem>();
  for (const { item_id: id, at } of items) {
    const [features, row] = [views.get(id), rows.get(id)];
    if (features !== undefined) {
      const item = { id, timeMs: at, lang: '', title: '' };
      placed.set(id, { groupId: features.groupId, placement: { item, view: features.view } });
    } else if (row !== undefined) {
      placed.set(id, { groupId: row.group_id, placement: { item: storyItemOf(row, at) } });
    }
  }
  return placed;
}
