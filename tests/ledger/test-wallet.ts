// A wallet over a test's own database, and checks of its ledger afterwards.
import { afterAll, expect } from 'vitest';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { openWallet, type WalletOptions } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import type { Wallet } from '../../src/gateway/wallet/ledger/wallet.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';

export async function openTestWallet(
  world: World,
  db: Db,
  options: WalletOptions = {},
): Promise<Wallet> {
  const wallet = await openWallet(world, db, options);
  afterAll(() => wallet.close());
  return wallet;
}

export async function expectSound(world: World, db: Db): Promise<void> {
  const { invariants } = await auditLedger(world, db);
  const broken = invariants.filter(({ violations }) => violations.length > 0);
  expect(broken).toEqual([]);
}
