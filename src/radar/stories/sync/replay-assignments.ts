// Brings an engine to the present before it decides anything: what other workers and operators
// decided since, the pins as they are now, and old stories let go. The caller holds the head.
import type { Db } from '../../../kernel/ports/db.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { assignmentsAfter } from '../../../store/radar/stories/story-assignments.ts';
import { dropViews, keepViews } from '../../../store/radar/stories/story-features.ts';
import type { StoryHead } from '../../../store/radar/stories/story-head.ts';
import { newsOfItems, storyItemRows } from '../../../store/radar/stories/story-items.ts';
import { membersByItem } from '../../../store/radar/stories/story-members.ts';
import type { Step } from './engine-commands.ts';
import type { Seat } from './engine-replica.ts';
import { storyItemOf } from './item-from-row.ts';
import { itemsInEngine } from './items-in-engine.ts';
import { pinsBetween, readPins } from './pins-in-engine.ts';

const LINES = 1_000;

/** `floor`: stories without a report since then are let go, epoch milliseconds. */
export async function catchUp(tx: Db, seat: Seat, head: StoryHead, floor: number): Promise<void> {
  while (seat.seq < head.seq) {
    const lines = await assignmentsAfter(tx, seat.seq, LINES);
    // What came of an item in the end is all that an engine needs to know of it.
    const last = new Map(lines.map((line) => [line.item_id, line.story_id]));
    const { views } = await seat.engine.take(await placing(tx, seat, last));
    await keepViews(tx, seat.engine.viewVersion, views);
    seat.seq = lines.at(-1)?.seq ?? head.seq;
  }
  await obeyPins(tx, seat);
  if (floor - seat.floor < HOUR_MS) return;
  const names = seat.names.engineNames();
  const { gone } = await seat.engine.take([{ kind: 'forget', olderThanMs: floor, names }]);
  for (const name of gone) seat.names.dropEngine(name);
  await dropViews(tx, floor);
  seat.floor = floor;
}

/** Only the first of each news is in an engine: the others follow it in the store. */
async function placing(
  tx: Db,
  { engine, names }: Seat,
  stories: ReadonlyMap<string, string>,
): Promise<readonly Step[]> {
  const ids = [...stories.keys()];
  const [members, news] = [await membersByItem(tx, ids), await newsOfItems(tx, ids)];
  const placed = await itemsInEngine(tx, engine.viewVersion, [...members.values()]);
  return [...stories].flatMap(([itemId, publicId]): readonly Step[] => {
    const known = placed.get(itemId);
    if (known === undefined || news.get(itemId)?.[0] !== itemId) return [];
    const { item, view } = known;
    const storyId = names.engineOf(publicId);
    return [{ kind: 'place', item, storyId, ...(view !== undefined && { view }) }];
  });
}

async function obeyPins(tx: Db, seat: Seat): Promise<void> {
  const pins = await readPins(tx);
  const { added, removed } = pinsBetween(seat.pins, pins);
  if (added.length + removed.length === 0) return;
  const steps: Step[] = removed.map((pin) => ({ kind: 'unpin', pin }));
  const alone = [...removed, ...added].flatMap((p) => (p.kind === 'stand-alone' ? [p.item] : []));
  const members = await membersByItem(tx, alone);
  const rows = await storyItemRows(tx, alone);
  for (const pin of removed) {
    if (pin.kind !== 'stand-alone') continue;
    const [row, member] = [rows.get(pin.item), members.get(pin.item)];
    if (row === undefined || member === undefined) continue;
    const storyId = seat.names.engineOf(member.story_id);
    steps.push({ kind: 'reopen', item: storyItemOf(row, member.at), storyId });
  }
  const heard = await seat.engine.take([
    ...steps,
    ...added.map((pin): Step => ({ kind: 'pin', pin })),
  ]);
  // The engine gave what stands alone a story of its own making.
  for (const [itemId, engineName] of heard.alone) {
    const storyId = members.get(itemId)?.story_id;
    if (storyId !== undefined) seat.names.set(engineName, storyId);
  }
  seat.pins = pins;
}
