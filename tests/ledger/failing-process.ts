// A process whose calls fail at a failpoint: each call throws, hangs or exits there. The process
// reports its progress on standard output.

import { recoverHolds } from '../../src/gateway/wallet/integrity/recover-holds.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { openDb } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { testWorld } from '../support/test-world.ts';
import { authorizeRequestFor, captureRequestOf, PRICE } from './wallet-values.ts';

const [connection = '', name = '', now = '', ...calls] = process.argv.slice(2);
const { world, clock } = testWorld(1, Number(now));
const db = openDb(world.log, JSON.parse(connection), {
  applicationName: 'radar test failing',
  ...slowConnectOptions,
});

let failureKind = '';
const failpoint = async (point: string) => {
  if (point !== name) return;
  process.stdout.write(`${failureKind} reached\n`);
  if (failureKind === 'exit') process.exit(9);
  if (failureKind === 'throw') throw new Error(`failpoint ${name}`);
  await new Promise(() => setInterval(() => {}, 1_000));
};

const wallet = await openWallet(world, db, { failpoint });

async function makeCall(accountId: string): Promise<void> {
  const requestId = `req_${accountId}`;
  await wallet.authorize(authorizeRequestFor(world, 1, { requestId, accountId }));
  await wallet.adjust(requestId, { quantity: 2, amount: 2n * PRICE });
  if (name.startsWith('recover')) {
    clock.advance(61_000);
    await recoverHolds(world, db, undefined, { failpoint });
  } else await wallet.capture(captureRequestOf(requestId, 2));
}

for (const call of calls) {
  const [kind = '', accountId = ''] = call.split(' ');
  failureKind = kind;
  await makeCall(accountId).catch(() => {});
}
process.exit(0);
