// A process that deletes an account and never commits. It sends a message after it has erased all
// data.
import { openAccountDeletion } from '../../../src/gateway/accounts/delete-account.ts';
import { inTransaction, openDb } from '../../../src/store/platform/db.ts';
import { slowConnectOptions } from '../../support/connect-timeout.ts';
import { testWorld } from '../../support/test-world.ts';

const [connection = '', accountId = '', now = ''] = process.argv.slice(2);
const { world } = testWorld(1, Number(now));
const options = { applicationName: 'radar test deletion', ...slowConnectOptions };
const db = openDb(world.log, JSON.parse(connection), options);
const deletion = await openAccountDeletion(world, db, null);
await inTransaction(db, async (tx) => {
  const { kind } = await deletion.delete(tx, { accountId, confirmedAmount: 10n ** 12n });
  process.send?.(kind);
  await new Promise(() => setInterval(() => {}, 1_000));
});
