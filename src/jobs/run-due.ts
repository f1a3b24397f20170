// What a tick does: looks at the clock and at what exists, and queues what is due. The tick, the
// start of a worker and the tests all call this.
import { isLedgerDue } from '../gateway/wallet/keep-ledger.ts';
import type { Db } from '../kernel/db.ts';
import type { Queue } from '../kernel/queue.ts';
import type { World } from '../kernel/world.ts';
import { isRankingDue } from '../radar/hot/compute-ranking.ts';
import { editionsDue } from '../radar/reports/write-reports.ts';
import { sourcesToRead } from '../radar/sources/sources-to-read.ts';
import { areStoriesDue } from '../radar/stories/keep/open-story-keeper.ts';
import { sourcesToUnderstand } from '../radar/understand/sources-to-understand.ts';
import {
  ASSIGN_STORIES,
  KEEP_LEDGER,
  RANK_STORIES,
  READ_SOURCE,
  UNDERSTAND_ITEMS,
  WRITE_REPORTS,
} from './job-kinds.ts';

/** Answers how many jobs it asked for; those that already wait or run are not doubled. */
export async function runDue(world: World, db: Db, queue: Queue): Promise<number> {
  const toWrite = await editionsDue(world, db);
  // One job writes them all, the oldest first: later ones rest on those before.
  if (toWrite.length > 0) await queue.send(WRITE_REPORTS, 'due', {});
  const toRead = await sourcesToRead(db, world.clock.now());
  for (const sourceId of toRead) await queue.send(READ_SOURCE, sourceId, { sourceId });
  const toUnderstand = await sourcesToUnderstand(db);
  for (const sourceId of toUnderstand) await queue.send(UNDERSTAND_ITEMS, sourceId, { sourceId });
  const isStoryDue = await areStoriesDue(world, db);
  if (isStoryDue) await queue.send(ASSIGN_STORIES, 'all', {});
  const isHotDue = await isRankingDue(world, db);
  if (isHotDue) await queue.send(RANK_STORIES, 'all', {});
  const isMoneyDue = await isLedgerDue(world, db);
  if (isMoneyDue) await queue.send(KEEP_LEDGER, 'all', {});
  const others = [isStoryDue, isHotDue, isMoneyDue, toWrite.length > 0].filter(Boolean);
  return toRead.length + toUnderstand.length + others.length;
}
