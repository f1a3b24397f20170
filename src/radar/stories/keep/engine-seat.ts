// One engine and what must stay in step with it: up to which decision it has heard, its names of
// stories, its pins. Rebuilt from the store; whenever a transaction of its round fails, it has
// thought of what never came to be, and is given up.
import type { Db } from '../../../kernel/db.ts';
import { inSnapshot } from '../../../store/db.ts';
import { storyHead } from '../../../store/story-head.ts';
import { storyItemRows } from '../../../store/story-items.ts';
import { liveMembers, type StoryMember } from '../../../store/story-members.ts';
import type { EngineThread } from './engine-thread.ts';
import { type Names, openNames } from './names.ts';
import { type PinTable, readPins } from './pins-in-engine.ts';
import type { Step } from './steps.ts';
import { storyItemOf } from './story-item.ts';

export type Seat = {
  readonly engine: EngineThread;
  readonly names: Names;
  /** Decisions up to this number are known to it. */
  seq: number;
  pins: PinTable;
  /** Stories without a report since then were let go, epoch milliseconds. */
  floor: number;
};

const ROWS = 1_000;

/** `floor`: stories without a report since then are left out. */
export async function rebuildSeat(db: Db, engine: EngineThread, floor: number): Promise<Seat> {
  await engine.begin();
  return inSnapshot(db, async (tx) => {
    const { seq } = await storyHead(tx);
    const pins = await readPins(tx);
    await engine.take([...pins.values()].map((pin) => ({ kind: 'pin', pin })));
    const led = new Set<string>();
    for (let after = 0, page = await read(tx, floor, after); page.length > 0; ) {
      await engine.take([...(await stepsOf(tx, page, led)), { kind: 'settle' }]);
      after = page.at(-1)?.ordinal ?? after;
      page = await read(tx, floor, after);
    }
    return { engine, names: openNames(), seq, pins, floor };
  });
}

const read = (tx: Db, since: number, after: number) =>
  liveMembers(tx, { since, after, limit: ROWS });

/** The first of each reading group stands for it; `led` are the groups that have theirs. */
async function stepsOf(
  tx: Db,
  members: readonly StoryMember[],
  led: Set<string>,
): Promise<readonly Step[]> {
  const rows = await storyItemRows(
    tx,
    members.map(({ item_id }) => item_id),
  );
  return members.flatMap(({ item_id, story_id, at }): readonly Step[] => {
    const row = rows.get(item_id);
    if (row === undefined || led.has(row.group_id)) return [];
    led.add(row.group_id);
    return [{ kind: 'place', item: storyItemOf(row, at), storyId: story_id }];
  });
}
