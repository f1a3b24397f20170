// Stored items as input of an engine that receives their assignments: by their stored features, or
// by their texts.
import type { Db } from '../../../kernel/ports/db.ts';
import { findFeatures } from '../../../store/radar/stories/story-features.ts';
import { readStoryItemRows } from '../../../store/radar/stories/story-items.ts';
import type { PlaceStep } from './engine-commands.ts';
import { storyItemOf } from './item-from-row.ts';

export type EngineItem = {
  readonly groupId: string;
  /** The item is without words when stored features exist. */
  readonly placement: Pick<PlaceStep, 'item' | 'view'>;
};

/** `at`: the time that an item was decided with, epoch milliseconds. */
export async function readItemsInEngine(
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
