// Makes a checkpoint after the steps that a worker executes first: sums of usage, seals, an audit.
import { expect } from 'vitest';
import { rollUpUsage } from '../../src/gateway/wallet/history/roll-up-usage.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { updateLedgerMetrics } from '../../src/gateway/wallet/integrity/ledger-metrics.ts';
import { sealJournal } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import type { World } from '../../src/kernel/world.ts';
import { makeCheckpoint } from '../../src/store/ledger/transfers.ts';

export async function checkpointLedger(world: World, db: Db): Promise<void> {
  await rollUpUsage(world, db);
  await sealJournal(world, db);
  await updateLedgerMetrics(world, db);
  const { isIntact, lastSeal } = await auditLedger(world, db, 'since-checkpoint');
  expect(isIntact).toBe(true);
  await makeCheckpoint(db, { now: world.clock.now(), seal: lastSeal });
}
