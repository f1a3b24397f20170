// What a tick does: looks at the clock and at what exists, and queues what is due. The tick, the
// start of a worker and the tests all call this.
import type { Db } from '../kernel/db.ts';
import type { Queue } from '../kernel/queue.ts';
import type { World } from '../kernel/world.ts';
import { sourcesToRead } from '../radar/sources/sources-to-read.ts';
import { sourcesToUnderstand } from '../radar/understand/sources-to-understand.ts';
import { READ_SOURCE, UNDERSTAND_ITEMS } from './job-kinds.ts';

/** Answers how many jobs it asked for; those that already wait or run are not doubled. */
export async function runDue(world: World, db: Db, queue: Queue): Promise<number> {
  const toRead = await sourcesToRead(db, world.clock.now());
  for (const sourceId of toRead) await queue.send(READ_SOURCE, sourceId, { sourceId });
  const toUnderstand = await sourcesToUnderstand(db);
  for (const sourceId of toUnderstand) await queue.send(UNDERSTAND_ITEMS, sourceId, { sourceId });
  return toRead.length + toUnderstand.length;
}
