// The ledger's housekeeping, off the way of any call: what expired is taken out of wallets, old
// answers are forgotten, and the journal's new entries are sealed into the hash chain.

import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  deleteExpiredResponses,
  expireWallet,
  isLedgerBehind,
  sealEntries,
  sealingHorizon,
  walletsWithExpired,
} from '../../../store/ledger/transfers.ts';
import { recoverHolds } from './recover-holds.ts';

/** Longer ago than a worker is ever away; a wallet looks for itself when its day begins. */
const LOOK_BACK_MS = 40 * DAY_MS;
const ENTRIES_PER_SEAL = 5_000;

/** Takes what expired out of wallets. Answers how many books that emptied. */
export async function expireBalances(world: World, db: Db): Promise<number> {
  const now = world.clock.now();
  let expired = 0;
  for (const wallet of await walletsWithExpired(db, now - LOOK_BACK_MS, now)) {
    expired += await expireWallet(db, now, wallet);
  }
  return expired;
}

/** Seals what is committed so far. Answers how many entries that were. */
export async function sealJournal(world: World, db: Db): Promise<number> {
  let horizon: string;
  try {
    horizon = await sealingHorizon(db);
  } catch (error) {
    world.log.warn({ error: messageOf(error) }, 'the journal is sealed at the next look');
    return 0;
  }
  let sealed = 0;
  for (;;) {
    const now = world.clock.now();
    const count = await sealEntries(db, { now, horizon, most: ENTRIES_PER_SEAL });
    sealed += count;
    if (count < ENTRIES_PER_SEAL) return sealed;
  }
}

/** Whether `keepLedger` has anything to do. */
export async function isLedgerDue(world: World, db: Db): Promise<boolean> {
  const now = world.clock.now();
  return isLedgerBehind(db, now - LOOK_BACK_MS, now);
}

/** All of it, and what dead processes left behind: what a worker does once a minute. */
export async function maintainLedger(world: World, db: Db): Promise<void> {
  const recovered = await recoverHolds(world, db);
  if (recovered.captured + recovered.released > 0) {
    world.log.warn(recovered, 'holds of dead processes were settled');
  }
  await expireBalances(world, db);
  await deleteExpiredResponses(db, world.clock.now());
  await sealJournal(world, db);
}
