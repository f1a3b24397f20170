// Partitions by month: made ahead of time, and the conversion of a filled database beside a program
// of the former release.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { sealJournal } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import type { AuthorizeRequest } from '../../src/gateway/wallet/ledger/wallet.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { createEmptySchema, migrate, readMigrations } from '../../src/store/platform/migrate.ts';
import { arePartitionsMissing, makePartitions } from '../../src/store/platform/partitions.ts';
import { expectAuditsHold } from '../ledger/test-wallet.ts';
import { answerOf, openingFor, openingOf, PRICE } from '../ledger/wallet-values.ts';
import { emptyTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { world } = testWorld();
const live = { accountId: 'acct_one', livemode: true };

/** The tables, and their number of rows in each partition. */
async function rowsByPartition(db: Db): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ name: string; count: number }>`
    SELECT tableoid::regclass::text AS name, count(*)::int FROM calls GROUP BY 1
    UNION ALL SELECT tableoid::regclass::text, count(*)::int FROM entries GROUP BY 1
    ORDER BY 1`.execute(sqlOf(db));
  return Object.fromEntries(
    rows.map(({ name, count }) => [name.replace('partitions.', ''), count]),
  );
}

test('rows of a clock that is wrong move to their month when its partition is made', async () => {
  const { db } = await emptyTestDatabase();
  const moved = testWorld(2);
  await migrate(moved.world, db);
  const wallet = await openWallet(moved.world, db);
  const opened = openingOf(moved.world, live);
  await wallet.authorize(opened);
  await wallet.capture(answerOf(opened.requestId, 1));
  moved.clock.advance(70 * DAY_MS);
  const ahead = openingOf(moved.world, live);
  await wallet.authorize(ahead);
  expect(await rowsByPartition(db)).toEqual({
    calls_2026_08: 1,
    calls_other: 1,
    entries_2026_08: 3,
    entries_other: 3,
  });
  expect(await arePartitionsMissing(moved.world, db)).toBe(true);
  await makePartitions(moved.world, db);
  expect(await arePartitionsMissing(moved.world, db)).toBe(false);
  expect(await rowsByPartition(db)).toEqual({
    calls_2026_08: 1,
    calls_2026_10: 1,
    entries_2026_08: 3,
    entries_2026_10: 3,
  });
  await wallet.capture(answerOf(ahead.requestId, 1));
  await wallet.close();
  await sealJournal(moved.world, db);
  await expectAuditsHold(moved.world, db);
});

test('a partition of the journal refuses changes', async () => {
  const { db } = await emptyTestDatabase();
  await migrate(world, db);
  const wallet = await openWallet(world, db);
  await wallet.authorize(openingOf(world, live));
  await wallet.close();
  for (const table of ['entries', 'partitions.entries_2026_08', 'partitions.entries_other']) {
    const change = sql.raw(`DELETE FROM ${table}`).execute(sqlOf(db));
    await expect(change).rejects.toThrow(/append-only/);
  }
});

test('a filled database is converted beside a program that uses it', async () => {
  const { db } = await emptyTestDatabase();
  const former = (await readMigrations()).filter(({ name }) => name < '0182');
  await inTransaction(db, (tx) => createEmptySchema(tx, former));
  for (const { name, hash } of former) {
    await sql`
      INSERT INTO migrations (name, hash, applied_at)
      VALUES (${name}, ${hash}, now())`.execute(sqlOf(db));
  }
  const wallet = await openWallet(world, db);
  const claim = (key: string) => ({ key, fingerprint: `${key}-f` });
  const [charged, freed, running, late] = ['charged', 'freed', 'running', 'late'].map((key) =>
    openingFor(world, 2, { ...live, idempotency: claim(key) }),
  ) as [AuthorizeRequest, AuthorizeRequest, AuthorizeRequest, AuthorizeRequest];
  for (const one of [charged, freed, running]) await wallet.authorize(one);
  await wallet.capture(answerOf(charged.requestId, 2));
  await topUp(world, db, {
    ...live,
    amount: 5n * PRICE,
    reference: 'bank-1',
    reason: null,
    actor: 'test',
  });
  const [first, second, third] = (await readMigrations()).filter(({ name }) =>
    /^018[234]/.test(name),
  );
  await sql.raw(first?.text ?? '').execute(sqlOf(db));
  // A call ends while its key is copied, and another begins.
  await inTransaction(db, async (tx) => {
    await sql.raw(second?.text ?? '').execute(sqlOf(tx));
    await wallet.release({ requestId: freed.requestId, status: 502, code: 'upstream_error' });
    await wallet.authorize(late);
  });
  await sql.raw(third?.text ?? '').execute(sqlOf(db));
  await makePartitions(world, db);
  expect(Object.keys(await rowsByPartition(db))).toEqual([
    expect.stringMatching(/^calls_before_/),
    expect.stringMatching(/^entries_before_/),
  ]);
  // The open connection continues, and all keys and references are unique.
  const again = (key: string) => openingFor(world, 2, { ...live, idempotency: claim(key) });
  expect(await wallet.authorize(again('charged'))).toMatchObject({ kind: 'duplicate' });
  expect(await wallet.authorize(again('running'))).toMatchObject({ kind: 'in_progress' });
  expect(await wallet.authorize(again('late'))).toMatchObject({ kind: 'in_progress' });
  const retried = again('freed');
  expect(await wallet.authorize(retried)).toMatchObject({ kind: 'opened' });
  for (const { requestId } of [running, late, retried]) {
    await wallet.capture(answerOf(requestId, 2));
  }
  await wallet.close();
  const repeated = { ...live, amount: 5n * PRICE, reason: null, actor: 'test' };
  const before = await balancesOf(db);
  await topUp(world, db, { ...repeated, reference: 'bank-1' });
  expect(await balancesOf(db)).toEqual(before);
  await sealJournal(world, db);
  await expectAuditsHold(world, db);
});

async function balancesOf(db: Db): Promise<readonly unknown[]> {
  const { rows } = await sql`SELECT name, available FROM books ORDER BY name`.execute(sqlOf(db));
  return rows;
}
