// Judging the past again, because somebody asks: another prompt, model or rule judges only what is
// new. The desk finds these items among those that wait, and replaces what it said of them.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { awaitDeskAgain, countAwaiting, type Rejudging } from '../../store/radar/sources/items.ts';

export type { Rejudging };

/** Answers the ids of the items that wait for the desk now. */
export async function rejudgeItems(
  { clock }: World,
  db: Db,
  which: Rejudging,
): Promise<readonly string[]> {
  return awaitDeskAgain(db, which, clock.now());
}

export async function stillToJudge(db: Db, ids: readonly string[]): Promise<number> {
  return countAwaiting(db, ids);
}
