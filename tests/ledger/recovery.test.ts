// Calls that throw, hang or exit at every failpoint, and the worker that recovers them.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test } from 'vitest';
import { creditAccount } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { findCall } from '../../src/gateway/wallet/history/read-calls.ts';
import { maintainLedger } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import {
  type OverdueOutcome,
  recoverHolds,
} from '../../src/gateway/wallet/integrity/recover-holds.ts';
import { type FailpointName, failpointNames } from '../../src/gateway/wallet/ledger/failpoint.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import { expectAuditsPass, openTestWallet } from './test-wallet.ts';
import {
  authorizeRequestFor,
  authorizeRequestOf,
  CNY,
  captureRequestOf,
  PRICE,
} from './wallet-values.ts';

const { world, clock } = testWorld();
const { db, connection } = await openTestDatabase();
const wallet = await openTestWallet(world, db);
afterEach(() => expectAuditsPass(world, db));

const liveWallet = (accountId: string) => ({ accountId, livemode: true });
const callOf = (accountId: string, requestId: string) =>
  findCall(world, db, { ...liveWallet(accountId), requestId });

test('two workers resolve each overdue hold once, by the outcome of its call', async () => {
  const outcomes: readonly OverdueOutcome['kind'][] = ['done', 'failed', 'unknown'];
  const record = { reference: null, reason: 'test', actor: 'test' };
  await creditAccount(world, db, { ...liveWallet('acct_overdue'), ...record, amount: 100n * CNY });
  const authorizeRequests = Array.from({ length: 240 }, () =>
    authorizeRequestOf(world, liveWallet('acct_overdue')),
  );
  const activeHold = authorizeRequestOf(world, {
    ...liveWallet('acct_overdue'),
    deadlineAt: clock.now() + 3_600_000,
  });
  await Promise.all(
    [...authorizeRequests, activeHold].map((authorizeRequest) =>
      wallet.authorize(authorizeRequest),
    ),
  );
  clock.advance(61_000);
  const outcomeOf = (requestId: string) =>
    outcomes[
      authorizeRequests.findIndex((authorizeRequest) => authorizeRequest.requestId === requestId) %
        3
    ];
  const findOutcome = async ({ requestId }: { requestId: string }): Promise<OverdueOutcome> => {
    const kind = outcomeOf(requestId);
    if (kind === 'done') return { ...captureRequestOf(requestId, 1), kind };
    return kind === 'failed' ? { kind, status: 502, code: 'upstream_error' } : { kind: 'unknown' };
  };
  const [first, second] = await Promise.all([
    recoverHolds(world, db, findOutcome),
    recoverHolds(world, db, findOutcome),
  ]);
  expect([first.captured + second.captured, first.released + second.released]).toEqual([80, 80]);
  expect(first.unknown + second.unknown).toBe(80);
  const callAt = (index: number) =>
    callOf('acct_overdue', authorizeRequests[index]?.requestId ?? '');
  expect(await callAt(2)).toMatchObject({ state: 'unknown', charge: null });
  // The call's own process may still capture it. A call with an unknown outcome is released after a
  // day.
  const lateHold = authorizeRequests[5]?.requestId ?? '';
  expect(await wallet.capture(captureRequestOf(lateHold, 1))).toEqual({ kind: 'captured' });
  expect(await wallet.capture(captureRequestOf(authorizeRequests[1]?.requestId ?? '', 1))).toEqual({
    kind: 'lost',
  });
  clock.advance(25 * 3_600_000);
  await recoverHolds(world, db, findOutcome);
  expect(await callAt(2)).toMatchObject({ state: 'expired', status: 504, charge: null });
  expect((await readAccountMoney(world, db, liveWallet('acct_overdue'))).balance.held).toBe(0n);
});

const runningProcesses = new Set<ChildProcess>();
afterAll(() => {
  for (const child of runningProcesses) child.kill('SIGKILL');
});

/** Starts a process whose calls fail at a failpoint: each throws, hangs or exits. */
function startFailing(name: FailpointName, calls: readonly string[]) {
  const script = join(import.meta.dirname, 'failing-process.ts');
  const child = spawn(
    process.execPath,
    [script, JSON.stringify(connection), name, String(clock.now()), ...calls],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  runningProcesses.add(child);
  const text = { out: '' };
  child.stdout.on('data', (bytes) => {
    text.out += bytes;
  });
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      runningProcesses.delete(child);
      resolve();
    });
  });
  return { child, text, ended };
}

/**
 * The connections of the ledger. After a process is killed, its connection stays until the server
 * finishes its statement.
 */
async function ledgerConnections(): Promise<readonly number[]> {
  const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database()
      AND application_name IN ('radar ledger', 'radar test failing')`.execute(sqlOf(db));
  return rows.map(({ pid }) => pid);
}

const failureKinds = ['throw', 'exit', 'hang'] as const;
type FailureKind = (typeof failureKinds)[number];
test.each(failpointNames)(
  'the balances are correct ten minutes after a fault at %s',
  async (name) => {
    const accountOf = (kind: FailureKind) => `acct_${name.replace(':', '_')}_${kind}`;
    const connectionsBefore = await ledgerConnections();
    const failCalls = async (...kinds: readonly FailureKind[]) => {
      const calls = kinds.map((kind) => `${kind} ${accountOf(kind)}`);
      const { child, text, ended } = startFailing(name, calls);
      if (kinds.includes('hang')) {
        await until(async () => (text.out.includes('hang reached') ? true : null));
        child.kill('SIGKILL');
      }
      await ended;
      for (const kind of kinds) expect(text.out).toContain(`${kind} reached`);
      await until(
        async () =>
          (await ledgerConnections()).every((pid) => connectionsBefore.includes(pid)) || null,
      );
    };
    // Recovery processes would compete for holds, so they run one after the other.
    const failures = failCalls('throw', 'exit');
    if (name.startsWith('recover')) await failures;
    await Promise.all([failures, failCalls('hang')]);
    clock.advance(600_000);
    await maintainLedger(world, db);
    for (const accountId of failureKinds.map(accountOf)) {
      const { balance, allowance } = await readAccountMoney(world, db, liveWallet(accountId));
      expect(balance.held).toBe(0n);
      // The call is charged once when its capture was committed, and otherwise not charged.
      expect([2n * CNY, 2n * CNY - 2n * PRICE]).toContain(allowance.remaining);
      const isCaptured = (await callOf(accountId, `req_${accountId}`))?.state === 'captured';
      expect(allowance.remaining).toBe(isCaptured ? 2n * CNY - 2n * PRICE : 2n * CNY);
    }
  },
);

test('the ledger refuses the late capture of a process that paused during recovery', async () => {
  const authorizeRequest = authorizeRequestFor(world, 2, liveWallet('acct_stopped'));
  await wallet.authorize(authorizeRequest);
  clock.advance(61_000);
  await maintainLedger(world, db);
  expect(await wallet.capture(captureRequestOf(authorizeRequest.requestId, 2))).toEqual({
    kind: 'lost',
  });
  const { balance, allowance } = await readAccountMoney(world, db, liveWallet('acct_stopped'));
  expect([balance.held, allowance.remaining]).toEqual([0n, 2n * CNY]);
});
