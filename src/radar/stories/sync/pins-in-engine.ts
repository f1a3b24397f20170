// Converts operators' pins for the engine, which has only the first item of each duplicate group. A
// pin of any duplicate therefore applies to that first item. Pins are updated before every
// decision.
import type { Db } from '../../../kernel/ports/db.ts';
import { readAssignedDuplicates } from '../../../store/radar/stories/story-items.ts';
import { listPins, type StoryPin } from '../../../store/radar/stories/story-pins.ts';
import type { Pin } from '../clustering/story-item.ts';

/** Pins by a key, which is equal for equivalent pins. */
export type PinTable = ReadonlyMap<string, Pin>;

export async function readPins(db: Db): Promise<PinTable> {
  const rows = await listPins(db);
  const duplicates = await readAssignedDuplicates(db, [
    ...new Set(rows.flatMap((row) => [row.item_id, row.other_item_id ?? row.item_id])),
  ]);
  const leader = (itemId: string) => duplicates.get(itemId)?.[0] ?? itemId;
  const table = new Map<string, Pin>();
  for (const row of rows) {
    const pin = pinOf(row, leader);
    if (pin !== null) table.set(JSON.stringify(pin), pin);
  }
  return table;
}

/** Null: both items are duplicates, which always belong to one story. */
function pinOf(
  { kind, item_id: item, other_item_id: other }: StoryPin,
  leader: (itemId: string) => string,
): Pin | null {
  if (kind === 'stand-alone') return { kind, item: leader(item) };
  const items = [leader(item), leader(other ?? item)] as const;
  return items[0] === items[1] ? null : { kind, items };
}

/** The differences between two tables. */
export function pinsBetween(before: PinTable, after: PinTable) {
  return {
    added: [...after].flatMap(([key, pin]) => (before.has(key) ? [] : [pin])),
    removed: [...before].flatMap(([key, pin]) => (after.has(key) ? [] : [pin])),
  };
}

/** Items that must be in the same story as this one. */
export function linkedWith(pins: PinTable, itemId: string): readonly string[] {
  return [...pins.values()].flatMap((pin) => {
    if (pin.kind !== 'must-link' || !pin.items.includes(itemId)) return [];
    return pin.items.filter((id) => id !== itemId);
  });
}
