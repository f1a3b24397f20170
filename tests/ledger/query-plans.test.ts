// The cost of a call does not grow with the wallet's earlier calls. Query plans are created once,
// possibly on empty tables. No plan may scan all calls of a wallet.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { busiestAccount, fillLedger } from '../../bench/growth/fill-ledger.ts';
import { monthAt, readMonth } from '../../src/gateway/wallet/history/read-month.ts';
import {
  listExplainedCalls,
  readStatement,
} from '../../src/gateway/wallet/history/read-statement.ts';
import { listTransactions } from '../../src/gateway/wallet/history/read-transactions.ts';
import { readWalletUsage } from '../../src/gateway/wallet/history/read-usage.ts';
import { rollUpUsage } from '../../src/gateway/wallet/history/roll-up-usage.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { findIdempotencyKey } from '../../src/store/ledger/find-idempotency-key.ts';
import { closeDb, inTransaction, openDb, sqlOf } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import { expectAuditsPass } from './test-wallet.ts';
import {
  authorizeRequestFor,
  authorizeRequestOf,
  captureRequestOf,
  PRICE,
} from './wallet-values.ts';

const { world } = testWorld();
const { db } = await openTestDatabase();

test('finds calls by their ids and keys in every kind of batch', async () => {
  const liveWallet = { accountId: 'acct_one', livemode: true };
  // The worst time to create a plan: the table has few calls, all without keys.
  const firstWallet = await openWallet(world, db);
  for (let call = 0; call < 3; call += 1) {
    await firstWallet.authorize(authorizeRequestOf(world, liveWallet));
  }
  await firstWallet.close();
  // Autovacuum analyzes no empty partition. After an ANALYZE of an empty partition, PostgreSQL 15
  // reads its whole index of wallets, until fifty calls cause the next ANALYZE.
  const month = new Date(world.clock.now()).toISOString().slice(0, 7).replace('-', '_');
  await sql.raw(`ANALYZE partitions.calls_${month}`).execute(sqlOf(db));
  // The creation of a month's partition scans the default partition once, to move its rows.
  const { rows: before } = await sql<{ scans: number }>`
    SELECT sum(seq_scan)::integer AS scans FROM pg_stat_user_tables
    WHERE schemaname = 'partitions' AND relname LIKE 'calls%'
      OR relname = 'idempotency_keys'`.execute(sqlOf(db));
  const scansBefore = before[0]?.scans;
  const wallet = await openWallet(world, db);
  const budget = { amount: 1000n * PRICE, period: 'day' } as const;
  const makeRequests = (fieldsOf: (index: number) => object) =>
    Array.from({ length: 8 }, (_, index) => {
      const claim = { key: `${index} ${world.ids.next()}`, fingerprint: 'f' };
      const fields = { ...liveWallet, idempotency: claim, ...fieldsOf(index) };
      return authorizeRequestFor(world, 2, fields);
    });
  const [single, uniformBatch, generalBatch] = [
    authorizeRequestOf(world, liveWallet),
    makeRequests(() => ({})),
    // Calls of several keys need the general statement.
    makeRequests((index) => ({ budget, keyId: `key_${index % 2}` })),
  ];
  await wallet.authorize(single);
  for (const batch of [uniformBatch, generalBatch]) {
    const authorized = await Promise.all(batch.map((request) => wallet.authorize(request)));
    expect(new Set(authorized.map(({ kind }) => kind))).toEqual(new Set(['authorized']));
  }
  await wallet.capture(captureRequestOf(single.requestId, 1));
  const usedKey = requirePresent(uniformBatch[0]?.idempotency, 'a key');
  const freeKey = { key: 'never used', fingerprint: 'f' };
  const found = await inTransaction(db, async (tx) => {
    // Outside of the ledger's connection each query is planned for the present size of its tables.
    await sql`SET LOCAL enable_seqscan = off`.execute(sqlOf(tx));
    const calls = [
      await findIdempotencyKey(tx, { ...liveWallet, ...usedKey }),
      await findIdempotencyKey(tx, { ...liveWallet, ...freeKey }),
    ];
    await sql`SELECT pg_stat_force_next_flush()`.execute(sqlOf(tx));
    return calls;
  });
  expect(found).toEqual([{ kind: 'in_progress', requestId: uniformBatch[0]?.requestId }, null]);
  const measuredRequestId = generalBatch[0]?.requestId ?? '';
  await wallet.adjust(measuredRequestId, { quantity: 3, amount: 3n * PRICE });
  await Promise.all(
    uniformBatch.map(({ requestId }) => wallet.capture(captureRequestOf(requestId, 2))),
  );
  await Promise.all(
    generalBatch.map(({ requestId }, index) =>
      index % 2 === 0
        ? wallet.capture(captureRequestOf(requestId, 1))
        : wallet.release({ requestId, status: 502, code: 'upstream_error' }),
    ),
  );
  // A connection reports its statistics when it closes.
  await wallet.close();
  const scans = await until(async () => {
    const { rows } = await sql<{ name: string; scans: number }>`
      SELECT CASE WHEN relname <> ${`calls_${month}`} THEN 'of other months'
          WHEN indexrelname LIKE '%_pkey' THEN 'by id' ELSE 'by wallet or time' END AS name,
        sum(idx_scan)::integer AS scans FROM pg_stat_user_indexes
      WHERE schemaname = 'partitions' AND relname LIKE 'calls%' GROUP BY 1
      UNION ALL SELECT 'by key', idx_scan::integer FROM pg_stat_user_indexes
      WHERE relname = 'idempotency_keys'
      UNION ALL SELECT 'all rows', sum(seq_scan)::integer FROM pg_stat_user_tables
      WHERE schemaname = 'partitions' AND relname LIKE 'calls%' OR relname = 'idempotency_keys'
      ORDER BY name`.execute(sqlOf(db));
    return rows.some(({ name, scans }) => name === 'by id' && scans > 0) ? rows : null;
  });
  expect(scans).toEqual([
    { name: 'all rows', scans: scansBefore },
    { name: 'by id', scans: expect.any(Number) },
    { name: 'by key', scans: expect.any(Number) },
    { name: 'by wallet or time', scans: 0 },
    { name: 'of other months', scans: 0 },
  ]);
  await expectAuditsPass(world, db);
});

test('no page or call scans a full month after an ANALYZE of the empty next one', async () => {
  const { db: observerDb, connection } = await openTestDatabase();
  const MONTH = '2026-08';
  const { world } = testWorld(2, Date.parse('2026-09-02T12:00:00Z'));
  const options = { applicationName: 'radar test plans', ...slowConnectOptions };
  const openOther = () => openDb(world.log, connection, options);
  const fillingDb = openOther();
  const since = new Date(`${MONTH}-02`);
  await fillLedger(fillingDb, { calls: 20_000, since, until: new Date(`${MONTH}-30`) });
  await rollUpUsage(world, fillingDb);
  // A VACUUM summarizes the BRIN index, which counts as a sequential scan of each range of pages.
  await sql`ALTER TABLE partitions.calls_2026_08 SET (autovacuum_enabled = false)`.execute(
    sqlOf(fillingDb),
  );
  // The table of the present month is empty.
  await sql`ANALYZE`.execute(sqlOf(fillingDb));
  await closeDb(fillingDb);
  const readScans = async () => {
    const { rows } = await sql<{ relname: string; scans: number; reads: number }>`
      SELECT relname, seq_scan::integer AS scans, seq_tup_read::integer AS reads
      FROM pg_stat_user_tables
      WHERE schemaname = 'partitions' AND relname IN ('calls_2026_08', 'entries_2026_08')
      ORDER BY relname`.execute(sqlOf(observerDb));
    return rows;
  };
  // Connections end some time after `closeDb`, and report their statistics before they end.
  const waitUntilClosed = () =>
    until(async () => {
      const { rows } = await sql<{ open: number }>`SELECT count(*)::integer AS open
        FROM pg_stat_activity
        WHERE application_name = ${options.applicationName}`.execute(sqlOf(observerDb));
      return rows[0]?.open === 0 ? true : null;
    });
  await waitUntilClosed();
  const before = await readScans();

  const liveWallet = { accountId: busiestAccount, livemode: true };
  const measuredDb = openOther();
  const wallet = await openWallet(world, measuredDb);
  const batch = Array.from({ length: 8 }, (_, index) =>
    authorizeRequestFor(world, 2, {
      ...liveWallet,
      idempotency: { key: `plan ${index}`, fingerprint: 'f' },
    }),
  );
  const authorized = await Promise.all(batch.map((request) => wallet.authorize(request)));
  expect(new Set(authorized.map(({ kind }) => kind))).toEqual(new Set(['authorized']));
  await Promise.all(
    batch.slice(1).map(({ requestId }) => wallet.capture(captureRequestOf(requestId, 1))),
  );
  const releaseRequest = {
    requestId: batch[0]?.requestId ?? '',
    status: 502,
    code: 'upstream_error',
  };
  await wallet.release(releaseRequest);
  await wallet.close();
  const range = { from: `${MONTH}-01`, to: '2026-09-30' };
  const page = { cursor: null, limit: 50 };
  const month = requirePresent(monthAt(MONTH, world.clock.now()), 'a month');
  await findIdempotencyKey(measuredDb, { ...liveWallet, key: 'plan 1', fingerprint: 'f' });
  await listTransactions(measuredDb, { ...liveWallet, before: null, limit: 12 });
  await readStatement(measuredDb, liveWallet, page);
  await listExplainedCalls(measuredDb, liveWallet, { ...page, filter: {} });
  await listExplainedCalls(measuredDb, liveWallet, { ...page, filter: { outcome: 'failed' } });
  await readWalletUsage(measuredDb, { ...liveWallet, ...range, groupBy: 'day' });
  await readMonth(measuredDb, liveWallet, month);
  await closeDb(measuredDb);

  await waitUntilClosed();
  expect(await readScans()).toEqual(before);
});
