// Reads and sets the operators' daily cap on the free allowance of all accounts together. When the
// next grant would exceed the cap, no account receives allowance until midnight in Shanghai.

import { type MicroFen, parseCny } from '../../../kernel/money.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  type AllowanceCap,
  isAllowanceRefused,
  readAllowanceCap,
  sumGrantedAllowance,
  writeAllowanceCap,
} from '../../../store/ledger/allowance-cap.ts';
import { batchTimeAt } from '../ledger/batch-time.ts';

export type CapToday = AllowanceCap & {
  /** Amount granted to all accounts today. */
  readonly grantedToday: MicroFen;
  /** True: no further allowance is granted today. */
  readonly isReached: boolean;
  /** Epoch milliseconds. */
  readonly resetsAt: number;
};

export async function readCap(world: World, db: Db): Promise<CapToday> {
  const batchTime = batchTimeAt(world.clock.now());
  const cap = await readAllowanceCap(db);
  const grantedToday = await sumGrantedAllowance(db, batchTime);
  const isReached = cap.amount !== null && grantedToday + batchTime.allowance > cap.amount;
  return { ...cap, grantedToday, isReached, resetsAt: batchTime.dayEndsAt };
}

/** Stores the configured cap when no cap was ever stored. */
export async function setDefaultCap(world: World, db: Db, cny: number | null): Promise<void> {
  const { version } = await readAllowanceCap(db);
  const amount = cny === null ? null : parseCny(String(cny));
  if (version > 0 || amount === null) return;
  await writeAllowanceCap(db, { amount, version: 1, actor: 'default', at: world.clock.now() });
}

/**
 * `tx`: the caller's transaction. `version`: the version that the operator saw. Returns false when
 * the cap has changed since then.
 */
export async function setCap(
  world: World,
  tx: Db,
  cap: { readonly amount: MicroFen | null; readonly version: number; readonly actor: string },
): Promise<boolean> {
  const { amount, version, actor } = cap;
  return writeAllowanceCap(tx, { amount, version: version + 1, actor, at: world.clock.now() });
}

/** Whether the cap prevented today's allowance of an account. */
export async function isAllowanceCapped(world: World, db: Db, accountId: string): Promise<boolean> {
  const { day, allowance } = batchTimeAt(world.clock.now());
  return isAllowanceRefused(db, accountId, { day, limit: allowance });
}
