// Maintains the ledger in the background: expires balances, deletes old responses and seals new
// journal entries into the hash chain.
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  deleteExpiredResponses,
  expireWallet,
  isLedgerBehind,
  listWalletsWithExpiredBalances,
  readLastSealableEntry,
  sealEntries,
} from '../../../store/ledger/transfers.ts';
import { recoverHolds } from './recover-holds.ts';

/**
 * Balances that expired longer ago are not searched: no worker outage is that long, and the start
 * of a wallet's day also expires its balances.
 */
const LOOK_BACK_MS = 40 * DAY_MS;
const ENTRIES_PER_SEAL = 5_000;

export async function expireBalances(world: World, db: Db): Promise<number> {
  const now = world.clock.now();
  let expiredCount = 0;
  for (const wallet of await listWalletsWithExpiredBalances(db, now - LOOK_BACK_MS, now)) {
    expiredCount += await expireWallet(db, now, wallet);
  }
  return expiredCount;
}

/** Seals all committed entries and returns their number. */
export async function sealJournal(world: World, db: Db): Promise<number> {
  let horizon: string;
  try {
    horizon = await readLastSealableEntry(db);
  } catch (error) {
    world.log.warn({ error: messageOf(error) }, 'sealing is postponed to the next run');
    return 0;
  }
  let sealedCount = 0;
  for (;;) {
    const now = world.clock.now();
    const count = await sealEntries(db, { now, horizon, max: ENTRIES_PER_SEAL });
    sealedCount += count;
    if (count < ENTRIES_PER_SEAL) return sealedCount;
  }
}

/** Whether `maintainLedger` has work. */
export async function isLedgerDue(world: World, db: Db): Promise<boolean> {
  const now = world.clock.now();
  return isLedgerBehind(db, now - LOOK_BACK_MS, now);
}

/** Runs all maintenance, recovery of holds included. A worker calls it once a minute. */
export async function maintainLedger(world: World, db: Db): Promise<void> {
  const recovery = await recoverHolds(world, db);
  if (recovery.captured + recovery.released > 0) {
    world.log.warn(recovery, 'holds of lost processes were resolved');
  }
  await expireBalances(world, db);
  await deleteExpiredResponses(db, world.clock.now());
  await sealJournal(world, db);
}
