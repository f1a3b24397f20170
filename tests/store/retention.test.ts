// Old months are exported, verified and removed, and a full audit loads them again. A month stays
// while a reader or an integrity check still needs it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { makePartitions } from '../../src/store/platform/partitions.ts';
import {
  applyRetention,
  planRetention,
  type RetentionPolicy,
  type RetiredFiles,
} from '../../src/store/platform/retention.ts';
import { checkpointLedger } from '../ledger/checkpoint-ledger.ts';
import {
  authorizeRequestFor,
  authorizeRequestOf,
  captureRequestOf,
  PRICE,
} from '../ledger/wallet-values.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { world, clock } = testWorld(5);
const { db } = await openTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'radar-retired-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files: RetiredFiles = {
  put: async (name, bytes) => writeFileSync(join(folder, name), bytes),
  read: async (name) => readFileSync(join(folder, name)),
};
const policy: RetentionPolicy = {
  calls: 3,
  entries: 3,
  readings: null,
  publication_log: null,
  selected_ledger: null,
};
const liveOwner = { accountId: 'acct_one', livemode: true };
const idempotencyOf = (key: string) => ({ key, fingerprint: `${key}-f` });

async function applyPolicy(): Promise<readonly string[]> {
  const steps: string[] = [];
  await applyRetention(world, db, policy, { files, report: (step) => steps.push(step) });
  return steps;
}

const listBrokenInvariants = async (withFiles: RetiredFiles | null) => {
  const audit = await auditLedger(world, db, 'full', undefined, withFiles);
  return audit.invariants.filter(({ violations }) => violations.length > 0);
};

async function monthsOf(table: 'calls' | 'entries'): Promise<readonly string[]> {
  const { rows } = await sql<{ month: string }>`
    SELECT DISTINCT right(tableoid::regclass::text, 7) AS month FROM ${sql.table(table)}
    ORDER BY 1`.execute(sqlOf(db));
  return rows.map(({ month }) => month);
}

test('months are removed after their export, and no key or reference is used twice', async () => {
  const wallet = await openWallet(world, db);
  const payment = { amount: 500n * PRICE, reference: 'bank-1', reason: null, actor: 'test' };
  await topUp(world, db, { ...liveOwner, ...payment });
  const firstCall = authorizeRequestFor(world, 2, {
    ...liveOwner,
    idempotency: idempotencyOf('first'),
  });
  await wallet.authorize(firstCall);
  await wallet.capture(captureRequestOf(firstCall.requestId, 1));
  for (let month = 0; month < 6; month += 1) {
    clock.advance(31 * DAY_MS);
    await makePartitions(world, db);
    const monthlyCall = authorizeRequestFor(world, 2, {
      ...liveOwner,
      deadlineAt: world.clock.now() + 60_000,
    });
    await wallet.authorize(monthlyCall);
    await wallet.capture(captureRequestOf(monthlyCall.requestId, 2));
  }
  // No check has run, so no month may be removed.
  const stepsBefore = await planRetention(world, db, policy);
  const blockers = stepsBefore.flatMap(({ expired }) => expired.map(({ blockedBy }) => blockedBy));
  expect(blockers.length).toBeGreaterThan(3);
  expect(new Set(blockers)).toEqual(
    new Set(['calls after the last checkpoint', 'entries after the last checkpoint']),
  );
  await applyPolicy();
  expect((await monthsOf('calls'))[0]).toBe('2026_08');

  clock.advance(DAY_MS);
  await checkpointLedger(world, db);
  const runningCall = authorizeRequestOf(world, liveOwner);
  await wallet.authorize(runningCall);
  const steps = await applyPolicy();
  expect(steps).toContain('calls_2026_08: 1 rows in 1 files');
  expect((await monthsOf('calls'))[0]).toBe('2026_11');
  // Payments stay in the journal.
  expect((await monthsOf('entries'))[0]).toBe('2026_08');
  const { rows } = await sql<{ kind: string }>`
    SELECT DISTINCT kind FROM partitions.entries_2026_08 ORDER BY 1`.execute(sqlOf(db));
  expect(rows.map(({ kind }) => kind)).toEqual(['allowance', 'top_up']);
  expect(readdirSync(folder).filter((name) => name.startsWith('calls_')).length).toBe(3);

  // A key is never charged twice, and a reference is posted once.
  const repeatedCall = authorizeRequestFor(world, 2, {
    ...liveOwner,
    idempotency: idempotencyOf('first'),
  });
  expect(await wallet.authorize(repeatedCall)).toMatchObject({
    kind: 'duplicate',
    original: { requestId: firstCall.requestId },
  });
  await wallet.capture(captureRequestOf(runningCall.requestId, 1));
  await checkpointLedger(world, db);
  await expect(listBrokenInvariants(null)).rejects.toThrow(/needs the files of .*calls_2026_08/);
  expect(await listBrokenInvariants(files)).toEqual([]);
  const { rows: loadedRows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ledger_audit.loaded_calls`.execute(sqlOf(db));
  expect(loadedRows).toEqual([{ count: 0 }]);
  expect(await applyPolicy()).toEqual([]);
  await wallet.close();
});

test('an interruption after a month was detached loses nothing', async () => {
  clock.advance(40 * DAY_MS);
  await makePartitions(world, db);
  const wallet = await openWallet(world, db);
  const monthlyCall = authorizeRequestOf(world, liveOwner);
  await wallet.authorize(monthlyCall);
  await wallet.capture(captureRequestOf(monthlyCall.requestId, 1));
  clock.advance(DAY_MS);
  await checkpointLedger(world, db);
  const failingFiles: RetiredFiles = {
    ...files,
    put: async () => {
      throw new Error('the disk is full');
    },
  };
  const report = () => {};
  const interruptedRun = applyRetention(world, db, policy, { files: failingFiles, report });
  await expect(interruptedRun).rejects.toThrow('the disk is full');
  await expect(listBrokenInvariants(files)).rejects.toThrow(/is being exported/);
  expect(await applyPolicy()).toContain('calls_2026_11: 1 rows in 1 files');
  expect(await listBrokenInvariants(files)).toEqual([]);
  await wallet.close();
});

test('a file that was changed is detected', async () => {
  const name = 'calls_2026_08.000001.copy.gz';
  const bytes = readFileSync(join(folder, name));
  const truncatedFiles: RetiredFiles = {
    ...files,
    read: async (file) => (file === name ? bytes.subarray(0, -9) : files.read(file)),
  };
  await expect(listBrokenInvariants(truncatedFiles)).rejects.toThrow(
    /calls_2026_08.000001.copy.gz cannot be read/,
  );
  const otherFile = readFileSync(join(folder, 'calls_2026_09.000001.copy.gz'));
  const swappedFiles: RetiredFiles = {
    ...files,
    read: async (file) => (file === name ? otherFile : files.read(file)),
  };
  await expect(listBrokenInvariants(swappedFiles)).rejects.toThrow(
    /files of calls_2026_08 were changed/,
  );
});
