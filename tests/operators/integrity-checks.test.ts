// Integrity checks run on a schedule and on request. The result is stored, shown and measured.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  checkLedger,
  findLastIntegrityCheck,
  invariants,
  isIntegrityCheckDue,
  requestIntegrityCheck,
} from '../../src/gateway/wallet/integrity/check-ledger.ts';
import {
  readLedgerMetrics,
  updateLedgerMetrics,
} from '../../src/gateway/wallet/integrity/ledger-metrics.ts';
import { maintainLedger } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { json } from '../support/http-request.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin();
const { world, db, clock } = admin;
const isDue = () => isIntegrityCheckDue(world, db);

test('checks a ledger periodically when it has entries', async () => {
  expect(await isDue()).toBe(false);
  await admin.call('paid', { text: 'x' });
  expect(await isDue()).toBe(true);
  expect(await checkLedger(world, db)).toBe(true);
  const check = await findLastIntegrityCheck(db);
  expect(check).toMatchObject({ state: 'finished', isIntact: true, requestedBy: null });
  expect(check?.results.map(({ name, broken }) => [name, broken])).toEqual(
    invariants.map((name) => [name, 0]),
  );
  await admin.call('paid', { text: 'y' });
  expect(await isDue()).toBe(false);
  clock.advance(HOUR_MS);
  expect(await isDue()).toBe(true);
  await checkLedger(world, db);
  // No entry was written since the last check, so the next check is tomorrow.
  clock.advance(2 * HOUR_MS);
  expect(await isDue()).toBe(false);
  clock.advance(22 * HOUR_MS);
  expect(await isDue()).toBe(true);
  await checkLedger(world, db);
});

test('an operator starts a check and sees its progress and its result', async () => {
  const bo = await admin.signIn('Bo');
  const response = await bo.submit('/admin/ledger', '/admin/ledger/prove');
  expect(response.text).toContain('An integrity check was requested and waits for a worker');
  expect(admin.requestedChecks()).toBe(1);
  // Two requests cause one check.
  await requestIntegrityCheck(world, db, 'Ada');
  await sql`UPDATE ledger_proofs SET started_at = ${new Date(clock.now())},
    told_at = ${new Date(clock.now())},
    results = '[{"name":"balanced","broken":0,"sample":[],"ms":1}]'
    WHERE finished_at IS NULL`.execute(sqlOf(db));
  const { text } = await bo.get('/admin/ledger');
  expect(text).toContain(`Check running: 1 of ${invariants.length} invariants checked.`);
  // The worker with the claim is alive, so no other process starts the check.
  expect(await checkLedger(world, db)).toBe(false);
  // The worker has ended, so another process starts the check half an hour later.
  clock.advance(HOUR_MS / 2);
  expect(await checkLedger(world, db)).toBe(true);
  expect(await findLastIntegrityCheck(db)).toMatchObject({ requestedBy: 'Bo', isIntact: true });
  const entryCount = (await findLastIntegrityCheck(db))?.entries ?? 0;
  await updateLedgerMetrics(world, db);
  await sql`UPDATE ledger_figures SET entries = ${entryCount}`.execute(sqlOf(db));
  expect((await bo.get('/admin/ledger')).text).toContain(
    `All invariants hold, over ${entryCount} `,
  );
  await sql`UPDATE ledger_figures SET entries = ${entryCount + 329}`.execute(sqlOf(db));
  const laterText = `All invariants held over ${entryCount} of ${entryCount + 329} entries`;
  expect((await bo.get('/admin/ledger')).text).toContain(laterText);
  // The test gateway has no upstream of the relay.
  expect((await bo.get('/admin')).text).toContain('Not set up: ');
});

test('names a corrupted balance on its page and on the overview', async () => {
  await sql`UPDATE books SET available = available + 1 WHERE name LIKE 'revenue:%'`.execute(
    sqlOf(db),
  );
  await requestIntegrityCheck(world, db, 'Ada');
  await checkLedger(world, db);
  const operator = await admin.signIn('Ada');
  const { text } = await operator.get('/admin/ledger');
  expect(text).toContain('2 invariants are broken.');
  expect(text).toContain('revenue:social_data of ');
  expect((await operator.get('/admin')).text).toContain('2 invariants are broken.');
  await sql`UPDATE books SET available = available - 1 WHERE name LIKE 'revenue:%'`.execute(
    sqlOf(db),
  );
});

test('computes figures from sealed entries, by the source of charges', async () => {
  const { accountId, sk, skTest } = await admin.newAccount();
  const operator = await admin.signIn('Ada');
  const path = `/admin/accounts/${accountId}`;
  const voucher = { amount: '0.5', name: 'Half', days: '3', reason: 'x' };
  await operator.submit(`${path}/voucher`, `${path}/voucher`, voucher);
  await operator.submit(`${path}/credit`, `${path}/credit`, { amount: '5', reason: 'x' });
  await maintainLedger(world, db);
  await updateLedgerMetrics(world, db);
  const figuresBefore = (await readLedgerMetrics(db))?.captured ?? {
    allowance: 0n,
    voucher: 0n,
    cash: 0n,
  };
  // 2 CNY of the allowance, half a yuan of the voucher, 0.1 of the cash.
  const longCall = await admin.call(
    'timed',
    { text: 'x', does: 'measure', seconds: 2_600 },
    { key: sk },
  );
  expect(json(longCall)).toMatchObject({
    charge: { free_quota: '2', voucher: '0.5', cash: '0.1' },
  });
  await admin.call('paid', { text: 'test money' }, { key: skTest });
  await updateLedgerMetrics(world, db);
  expect((await readLedgerMetrics(db))?.captured).toEqual(figuresBefore);
  await maintainLedger(world, db);
  await updateLedgerMetrics(world, db);
  await updateLedgerMetrics(world, db);
  const figuresAfter = await readLedgerMetrics(db);
  const CNY = 100_000_000n;
  expect(figuresAfter?.captured).toEqual({
    allowance: figuresBefore.allowance + 2n * CNY,
    voucher: figuresBefore.voucher + CNY / 2n,
    cash: figuresBefore.cash + CNY / 10n,
  });
  expect(figuresAfter?.unsealed).toBe(0);
});

test('counts long running calls by age', async () => {
  const waitingCall = admin.call('paid', { text: 'slow', does: 'wait' });
  await admin.paid.waitForRuns(1);
  clock.advance(61_000);
  await updateLedgerMetrics(world, db);
  expect((await readLedgerMetrics(db))?.holds).toEqual({ '1': 1, '5': 0, '30': 0 });
  admin.paid.release();
  await waitingCall;
  await updateLedgerMetrics(world, db);
  expect((await readLedgerMetrics(db))?.holds).toEqual({ '1': 0, '5': 0, '30': 0 });
});
