// Partitions by month: they are made in advance, and a filled database is converted while a program
// of the former release runs.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { sealJournal } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import type { AuthorizeRequest } from '../../src/gateway/wallet/ledger/wallet.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { earlierHashes, migrate } from '../../src/store/platform/migrate.ts';
import { arePartitionsMissing, makePartitions } from '../../src/store/platform/partitions.ts';
import { expectAuditsPass } from '../ledger/test-wallet.ts';
import {
  authorizeRequestFor,
  authorizeRequestOf,
  captureRequestOf,
  PRICE,
} from '../ledger/wallet-values.ts';
import { callWithKey as formerCall, openFormerDatabase } from '../support/former-database.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world } = testWorld();
const sleepingWorld = { ...world, clock: { ...world.clock, sleep: runningClock().sleep } };
const liveOwner = { accountId: 'acct_one', livemode: true };

const callWithKey = (key: string) => formerCall(world, key);

/** The number of rows in each partition of the calls and the journal. */
async function rowsByPartition(db: Db): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; count: number }>`
    SELECT tableoid::regclass::text AS name, count(*)::int FROM calls GROUP BY 1
    UNION ALL SELECT tableoid::regclass::text, count(*)::int FROM entries GROUP BY 1
    ORDER BY 1`.execute(sqlOf(db));
  return Object.fromEntries(
    rows.map(({ name, count }) => [name.replace('partitions.', ''), count]),
  );
}

test('rows with a wrong time move to the partition of their month when it is made', async () => {
  const { db } = await openTestDatabase();
  const ownTestWorld = testWorld(2);
  const wallet = await openWallet(ownTestWorld.world, db);
  const earlierRequest = authorizeRequestOf(ownTestWorld.world, liveOwner);
  await wallet.authorize(earlierRequest);
  await wallet.capture(captureRequestOf(earlierRequest.requestId, 1));
  ownTestWorld.clock.advance(70 * DAY_MS);
  const laterRequest = authorizeRequestOf(ownTestWorld.world, liveOwner);
  await wallet.authorize(laterRequest);
  expect(await rowsByPartition(db)).toEqual({
    calls_2026_08: 1,
    calls_other: 1,
    entries_2026_08: 3,
    entries_other: 3,
  });
  expect(await arePartitionsMissing(ownTestWorld.world, db)).toBe(true);
  await makePartitions(ownTestWorld.world, db);
  expect(await arePartitionsMissing(ownTestWorld.world, db)).toBe(false);
  expect(await rowsByPartition(db)).toEqual({
    calls_2026_08: 1,
    calls_2026_10: 1,
    entries_2026_08: 3,
    entries_2026_10: 3,
  });
  await wallet.capture(captureRequestOf(laterRequest.requestId, 1));
  await wallet.close();
  await sealJournal(ownTestWorld.world, db);
  await expectAuditsPass(ownTestWorld.world, db);
});

test('a partition of the journal refuses changes', async () => {
  const { db } = await openTestDatabase();
  const wallet = await openWallet(world, db);
  await wallet.authorize(authorizeRequestOf(world, liveOwner));
  await wallet.close();
  for (const table of ['entries', 'partitions.entries_2026_08', 'partitions.entries_other']) {
    const change = sql.raw(`DELETE FROM ${table}`).execute(sqlOf(db));
    await expect(change).rejects.toThrow(/append-only/);
  }
});

test('a filled database is converted beside a program that uses it', async () => {
  const { db, applyMigration } = await openFormerDatabase();
  const wallet = await openWallet(world, db);
  const [chargedCall, freedCall, runningCall, lateCall] = [
    'charged',
    'freed',
    'running',
    'late',
  ].map(callWithKey) as [AuthorizeRequest, AuthorizeRequest, AuthorizeRequest, AuthorizeRequest];
  for (const request of [chargedCall, freedCall, runningCall]) await wallet.authorize(request);
  await wallet.capture(captureRequestOf(chargedCall.requestId, 2));
  await topUp(world, db, {
    ...liveOwner,
    amount: 5n * PRICE,
    reference: 'bank-1',
    reason: null,
    actor: 'test',
  });
  await applyMigration(db, '0182');
  // A call ends while its key is copied, and another begins.
  await inTransaction(db, async (tx) => {
    await applyMigration(tx, '0183');
    await wallet.release({ requestId: freedCall.requestId, status: 502, code: 'upstream_error' });
    await wallet.authorize(lateCall);
  });
  await applyMigration(db, '0184');
  await makePartitions(world, db);
  expect(Object.keys(await rowsByPartition(db))).toEqual([
    expect.stringMatching(/^calls_before_/),
    expect.stringMatching(/^entries_before_/),
  ]);
  // The open connection continues, and all keys and references are unique.
  expect(await wallet.authorize(callWithKey('charged'))).toMatchObject({ kind: 'duplicate' });
  expect(await wallet.authorize(callWithKey('running'))).toMatchObject({ kind: 'in_progress' });
  expect(await wallet.authorize(callWithKey('late'))).toMatchObject({ kind: 'in_progress' });
  const retriedCall = callWithKey('freed');
  expect(await wallet.authorize(retriedCall)).toMatchObject({ kind: 'authorized' });
  for (const { requestId } of [runningCall, lateCall, retriedCall]) {
    await wallet.capture(captureRequestOf(requestId, 2));
  }
  await wallet.close();
  const payment = { ...liveOwner, amount: 5n * PRICE, reason: null, actor: 'test' };
  const balancesBefore = await balancesOf(db);
  await topUp(world, db, { ...payment, reference: 'bank-1' });
  expect(await balancesOf(db)).toEqual(balancesBefore);
  await migrate(world, db);
  await sealJournal(world, db);
  await expectAuditsPass(world, db);
});

test.each(['empty', 'filled', 'filled and formerly exchanged'] as const)(
  'calls of former functions that wait for the exchange are charged once (ledger: %s)',
  async (ledger) => {
    const { db, applyMigration } = await openFormerDatabase();
    const wallet = await openWallet(world, db);
    const [earlier, waiting, released] = ['earlier', 'waiting', 'released'].map(callWithKey) as [
      AuthorizeRequest,
      AuthorizeRequest,
      AuthorizeRequest,
    ];
    const otherWallet = await openWallet(world, db);
    const other = { ...released, accountId: 'acct_two' };
    const credit = {
      ...liveOwner,
      accountId: 'acct_three',
      amount: PRICE,
      reason: null,
      actor: 'test',
    };
    const payOnce = () => topUp(world, db, { ...credit, reference: 'bank-1' });
    // The session of the wallet has the former functions.
    const refusedCall = await wallet.authorize(authorizeRequestFor(world, 1_000_000, liveOwner));
    expect(refusedCall).toMatchObject({ kind: 'insufficient' });
    if (ledger !== 'empty') {
      await wallet.authorize(earlier);
      await wallet.capture(captureRequestOf(earlier.requestId, 2));
      await otherWallet.authorize(other);
    }
    await applyMigration(db, '0182');
    await applyMigration(db, '0183');
    const startedCalls = await inTransaction(db, async (tx) => {
      await applyMigration(tx, '0184');
      if (ledger === 'filled and formerly exchanged') await restoreFirstExchange(tx);
      const runningCalls: Promise<unknown>[] = [wallet.authorize(waiting), payOnce()];
      if (ledger !== 'empty') {
        runningCalls.push(
          otherWallet.release({
            requestId: other.requestId,
            status: 502,
            code: 'upstream_error',
          }),
        );
      }
      // The functions have begun, and wait for the tables.
      await until(async () => (await countWaitingSessions(db)) === runningCalls.length || null);
      return runningCalls;
    });
    await Promise.all(startedCalls);
    // The programs of both releases continue, then the functions of the exchange are removed.
    await migrate(sleepingWorld, db);
    expect(await wallet.authorize(callWithKey('waiting'))).toMatchObject({ kind: 'in_progress' });
    await wallet.capture(captureRequestOf(waiting.requestId, 2));
    expect(await wallet.authorize(callWithKey('waiting'))).toMatchObject({ kind: 'duplicate' });
    const repeatedAuthorization = await otherWallet.authorize({
      ...callWithKey('released'),
      accountId: 'acct_two',
    });
    expect(repeatedAuthorization).toMatchObject({ kind: 'authorized' });
    const balancesBefore = await balancesOf(db);
    await payOnce();
    expect(await balancesOf(db)).toEqual(balancesBefore);
    await wallet.close();
    await otherWallet.close();
    await sealJournal(world, db);
    await expectAuditsPass(world, db);
  },
);

/** Restores the state after the first version of migration 0184, which had no triggers. */
async function restoreFirstExchange(tx: Db): Promise<void> {
  await sql`DROP FUNCTION migrate_call_key, migrate_entry_reference CASCADE`.execute(sqlOf(tx));
  await sql`UPDATE migrations SET hash = ${earlierHashes['0184_partitions.sql']}
    WHERE name = '0184_partitions.sql'`.execute(sqlOf(tx));
}

test('the last migration waits for calls of former functions, and a key has one call', async () => {
  const { db, applyMigration } = await openFormerDatabase();
  const wallet = await openWallet(world, db);
  await wallet.authorize(callWithKey('earlier'));
  for (const number of ['0182', '0183']) await applyMigration(db, number);
  const waiting = callWithKey('waiting');
  const lockTaken = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const lockTransaction = inTransaction(db, async (tx) => {
    await sql`SELECT FROM wallets FOR UPDATE`.execute(sqlOf(tx));
    lockTaken.resolve();
    await end.promise;
  });
  await lockTaken.promise;
  const runningCall = wallet.authorize(waiting);
  await until(async () => (await countWaitingSessions(db)) === 1 || null);
  await inTransaction(db, (tx) => applyMigration(tx, '0184'));
  const duplicateInsert = sql`
    INSERT INTO calls SELECT (jsonb_populate_record(c, '{"request_id": "req_f"}')).* FROM calls c`;
  await expect(duplicateInsert.execute(sqlOf(db))).rejects.toThrow('idempotency');
  let isMigrated = false;
  const migration = migrate(sleepingWorld, db).then(() => {
    isMigrated = true;
  });
  await until(async () => (await countSleepingSessions(db)) === 1 || null);
  expect(isMigrated).toBe(false);
  end.resolve();
  await Promise.all([lockTransaction, migration]);
  expect(await runningCall).toMatchObject({ kind: 'authorized' });
  expect(await wallet.authorize(callWithKey('waiting'))).toMatchObject({ kind: 'in_progress' });
  await wallet.close();
  const { rows } = await sql`SELECT tgname FROM pg_trigger WHERE tgname ~ '^migrate_'`.execute(
    sqlOf(db),
  );
  expect(rows).toEqual([]);
  await sealJournal(world, db);
  await expectAuditsPass(world, db);
});

/** The number of migrations that wait for other transactions. */
async function countSleepingSessions(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE wait_event = 'PgSleep' AND datname = current_database()`.execute(sqlOf(db));
  return rows[0]?.count ?? 0;
}

/** The number of sessions that wait for a lock. */
async function countWaitingSessions(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(sqlOf(db));
  return rows[0]?.count ?? 0;
}

async function balancesOf(db: Db): Promise<readonly unknown[]> {
  const { rows } = await sql`SELECT name, available FROM books ORDER BY name`.execute(sqlOf(db));
  return rows;
}
