// A backup that was written between two migrations of an upgrade, while triggers of the migrations
// still exist. Its restore completes the upgrade.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { openWallet } from '../../../src/gateway/wallet/ledger/open-wallet.ts';
import { restoreBackup } from '../../../src/store/backup/restore-backup.ts';
import { writeBackup } from '../../../src/store/backup/write-backup.ts';
import { expectNoViolations } from '../../ledger/test-wallet.ts';
import { captureRequestOf, PRICE } from '../../ledger/wallet-values.ts';
import { callWithKey, openFormerDatabase } from '../../support/former-database.ts';
import { testWorld } from '../../support/test-world.ts';
import { createEmptyDatabase, makeArchiveFolder, noPassphrase } from './databases.ts';

const { world } = testWorld();
const folder = makeArchiveFolder();

test.each(['0182', '0183', '0184'])(
  'a backup after migration %s is restored',
  async (lastNumber) => {
    const { db, applyMigration } = await openFormerDatabase();
    const numbers = ['0182', '0183', '0184'].filter((number) => number <= lastNumber);
    for (const number of numbers) await applyMigration(db, number);
    const wallet = await openWallet(world, db);
    const payment = { accountId: 'acct_one', livemode: true, amount: 5n * PRICE, reason: null };
    await topUp(world, db, { ...payment, reference: 'bank-1', actor: 'test' });
    const call = callWithKey(world, 'charged');
    await wallet.authorize(call);
    await wallet.capture(captureRequestOf(call.requestId, 2));
    await wallet.close();

    const commonOptions = {
      path: join(folder, lastNumber),
      mediaFolder: null,
      onProgress: () => {},
    };
    await writeBackup(world, db, { ...commonOptions, passphrase: null, program: 'test' });
    const restoredDb = await createEmptyDatabase();
    const { migrated } = await restoreBackup(world, restoredDb.db, {
      ...commonOptions,
      passphrase: noPassphrase,
    });
    expect(migrated).toContain('0185_former_functions.sql');
    const restoredWallet = await openWallet(world, restoredDb.db);
    const repeatedAuthorization = await restoredWallet.authorize(callWithKey(world, 'charged'));
    expect(repeatedAuthorization).toMatchObject({ kind: 'duplicate' });
    await restoredWallet.close();
    await expectNoViolations(world, restoredDb.db);
  },
);
