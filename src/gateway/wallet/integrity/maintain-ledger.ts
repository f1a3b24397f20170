// Background maintenance of the ledger: expires balances, deletes old responses and seals new
// journal entries into the hash chain.
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  deleteExpiredResponses,
  expireWallet,
  isLedgerBehind,
  lastSealableEntry,
  sealEntries,
  walletsWithExpired,
} from '../../../store/ledger/transfers.ts';
import { recoverHolds } from './recover-holds.ts';

/**
 * The time range is longer than any worker outage. The start of a wallet's day also expires its
 * balances.
 */
const LOOK_BACK_MS = 40 * DAY_MS;
const ENTRIES_PER_SEAL = 5_000;

export async function expireBalances(world: World, db: Db): Promise<number> {
  const now = world.clock.now();
  let expired = 0;
  for (const wallet of await walletsWithExpired(db, now - LOOK_BACK_MS, now)) {
    expired += await expireWallet(db, now, wallet);
  }
  return expired;
}

/** Seals all committed entries and returns their number. */
export async function sealJournal(world: World, db: Db): Promise<number> {
  let horizon: string;
  try {
    horizon = await lastSealableEntry(db);
  } catch (error) {
    world.log.warn({ error: messageOf(error) }, 'sealing is postponed to the next run');
    return 0;
  }
  let sealed = 0;
  for (;;) {
    const now = world.clock.now();
    const count = await sealEntries(db, { now, horizon, max: ENTRIES_PER_SEAL });
    sealed += count;
    if (count < ENTRIES_PER_SEAL) return sealed;
  }
}

/** Whether `maintainLedger` has work. */
export async function isLedgerDue(world: World, db: Db): Promise<boolean> {
  const now = world.clock.now();
  return isLedgerBehind(db, now - LOOK_BACK_MS, now);
}

/** Runs all maintenance, recovery of holds included. A worker calls it once a minute. */
export async function maintainLedger(world: World, db: Db): Promise<void> {
  const recovered = await recoverHolds(world, db);
  if (recovered.captured + recovered.released > 0) {
    world.log.warn(recovered, 'holds of lost processes were resolved');
  }
  await expireBalances(world, db);
  await deleteExpiredResponses(db, world.clock.now());
  await sealJournal(world, db);
}
