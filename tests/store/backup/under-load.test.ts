// A backup during writes is a consistent snapshot. In the restored copy the ledger is consistent,
// and the selected set equals the replay of its log.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { openWallet } from '../../../src/gateway/wallet/ledger/open-wallet.ts';
import { addSource } from '../../../src/radar/sources/add-source.ts';
import { restoreBackup } from '../../../src/store/backup/restore-backup.ts';
import { writeBackup } from '../../../src/store/backup/write-backup.ts';
import { expectAuditsPass } from '../../ledger/test-wallet.ts';
import { authorizeRequestFor, CNY, captureRequestOf } from '../../ledger/wallet-values.ts';
import { openRandomHistory } from '../../selected-sync/random-history.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { testWorld } from '../../support/test-world.ts';
import { createEmptyDatabase, makeArchiveFolder, noPassphrase, rowsOf } from './databases.ts';

const { world, clock } = testWorld(3);
const { db } = await openTestDatabase();
const folder = makeArchiveFolder();
const wallet = await openWallet(world, db);
afterAll(() => wallet.close());

const record = { livemode: true, reason: null, actor: 'test' };
const accounts = ['acct_one', 'acct_two', 'acct_three'];
for (const accountId of accounts) {
  await topUp(world, db, { ...record, accountId, amount: 10_000n * CNY, reference: 'pay' });
}
const commonFields = { owner: 'A', language: 'en', intervalMinutes: 30, tier: 'T1' };
const pushFields = { kind: 'push', participation: 'editorial', settings: {} };
await addSource(world, db, { id: 'a', name: 'The Ledger', ...commonFields, ...pushFields });
const history = openRandomHistory(world, db, ['a'], 3);
for (let event = 0; event < 40; event += 1) await history.step();

let isOver = false;
let calls = 0;
async function makeCall(accountId: string): Promise<void> {
  while (!isOver) {
    const authorizeRequest = authorizeRequestFor(world, 2, { accountId });
    await wallet.authorize(authorizeRequest);
    await wallet.capture(captureRequestOf(authorizeRequest.requestId, 2));
    calls += 1;
  }
}
async function changeItems(): Promise<void> {
  while (!isOver) {
    clock.advance(1_000);
    await history.step();
  }
}

test('a copy of a changing database is consistent each time', async () => {
  const pendingWrites = Promise.all([
    ...accounts.flatMap((id) => [makeCall(id), makeCall(id)]),
    changeItems(),
  ]);
  const callCounts: number[] = [];
  const archives = await Promise.all(
    [1, 2, 3].map(async (round) => {
      const path = join(folder, `${round}.tar.gz`);
      callCounts.push(calls);
      const options = {
        path,
        passphrase: null,
        mediaFolder: null,
        program: 'test',
        onProgress: () => {},
      };
      await writeBackup(world, db, options);
      callCounts.push(calls);
      return path;
    }),
  );
  isOver = true;
  await pendingWrites;
  // Calls were made during the backups.
  expect(Math.max(...callCounts)).toBeGreaterThan(Math.min(...callCounts) + 5);
  for (const path of archives) {
    const copy = await createEmptyDatabase();
    const options = {
      path,
      passphrase: noPassphrase,
      mediaFolder: null,
      onProgress: () => {},
    };
    await restoreBackup(world, copy.db, options);
    await expectAuditsPass(world, copy.db);
    const [counts] = await rowsOf(copy.connection, differenceQuery);
    expect(counts).toEqual({ set: 0, numbers: 0, entries: 0 });
  }
}, 120_000);

/**
 * The number of differences between the selected set and its log, between the head and its log, and
 * between calls and their reserves.
 */
const differenceQuery = `SELECT
  (SELECT count(*)::int FROM (SELECT id FROM public_items WHERE selected) p
    FULL JOIN (SELECT item_id FROM selected_ledger
      WHERE superseded_seq IS NULL AND op = 'upsert') l ON l.item_id = p.id
    WHERE p.id IS NULL OR l.item_id IS NULL) AS set,
  (SELECT (SELECT seq FROM publication_head) - max(seq) FROM publication_log)::int AS numbers,
  (SELECT count(*)::int FROM calls c WHERE NOT EXISTS (
    SELECT FROM entries e
    WHERE c.request_id = ANY (e.requests) AND e.kind = 'reserve')) AS entries`;
