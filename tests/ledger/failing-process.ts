// A process that makes one call and stops at a failpoint: it throws, hangs or exits. It reports its
// progress on standard output.

import { recoverHolds } from '../../src/gateway/wallet/integrity/recover-holds.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { testWorld } from '../support/test-world.ts';
import { authorizeRequestFor, captureRequestOf, PRICE } from './wallet-values.ts';

const [connection = '', name = '', failureKind = '', accountId = '', now = ''] =
  process.argv.slice(2);
const { world, clock } = testWorld(1, Number(now));
const db = openDb(world.log, JSON.parse(connection), {
  applicationName: 'radar test failing',
  ...slowConnectOptions,
});

const failpoint = async (point: string) => {
  if (point !== name) return;
  process.stdout.write('reached\n');
  if (failureKind === 'exit') process.exit(9);
  if (failureKind === 'throw') throw new Error(`failpoint ${name}`);
  process.stdout.write('hangs\n');
  await new Promise(() => setInterval(() => {}, 1_000));
};

const wallet = await openWallet(world, db, { failpoint });
const requestId = `req_${accountId}`;
try {
  await wallet.authorize(authorizeRequestFor(world, 1, { requestId, accountId }));
  await wallet.adjust(requestId, { quantity: 2, amount: 2n * PRICE });
  if (name.startsWith('recover')) {
    clock.advance(61_000);
    await recoverHolds(world, db, undefined, { failpoint });
  } else await wallet.capture(captureRequestOf(requestId, 2));
  process.stdout.write('done\n');
} catch {
  process.stdout.write('failed\n');
}
process.exit(0);
