// Opens a wallet on a test's own database, and checks the ledger of the database afterwards.
import { expect } from 'vitest';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { openWallet, type WalletOptions } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import type { Wallet } from '../../src/gateway/wallet/ledger/wallet.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { makeCheckpoint } from '../../src/store/ledger/transfers.ts';
import { atEnd } from '../support/at-end.ts';

export async function openTestWallet(
  world: World,
  db: Db,
  options: WalletOptions = {},
): Promise<Wallet> {
  const wallet = await openWallet(world, db, options);
  atEnd(() => wallet.close());
  return wallet;
}

/** Expects that both audits pass, and makes a checkpoint at the last seal, if there is one. */
export async function expectAuditsPass(world: World, db: Db): Promise<void> {
  await makeCheckpoint(db, { now: world.clock.now(), seal: await expectNoViolations(world, db) });
}

/**
 * Expects that the full audit and the audit since the checkpoint pass. Returns the number of the
 * last seal.
 */
export async function expectNoViolations(world: World, db: Db): Promise<number> {
  let sealCount = 0;
  for (const scope of ['full', 'since-checkpoint'] as const) {
    const { invariants, lastSeal } = await auditLedger(world, db, scope);
    const broken = invariants.filter(({ violations }) => violations.length > 0);
    expect({ scope, broken }).toEqual({ scope, broken: [] });
    sealCount = lastSeal;
  }
  return sealCount;
}
